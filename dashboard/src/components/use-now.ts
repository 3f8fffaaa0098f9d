import { useEffect, useState } from 'react'

/** The time in milliseconds, updated at this interval if there is one. Stands still while the page is hidden. */
export function useNow(intervalMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (intervalMs === undefined) return
    const update = () => document.hidden || setNow(Date.now())
    const timer = setInterval(update, intervalMs)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [intervalMs])
  return now
}

/** Counts down to 0 from the seconds that an error tells to wait, which starts when the error is another one. */
export function useSecondsLeft(error: unknown, seconds: number): number {
  const [started, setStarted] = useState({ error, at: Date.now() })
  if (started.error !== error) setStarted({ error, at: Date.now() })
  return Math.max(0, Math.ceil(seconds - (useNow(seconds > 0 ? 1_000 : undefined) - started.at) / 1_000))
}
