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
