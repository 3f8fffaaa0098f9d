import { useState } from 'react'
import { useNow } from './use-now.ts'

/** Counts down to 0 from the seconds that an error tells to wait, which starts when the error is another one. */
export function useSecondsLeft(error: unknown, seconds: number): number {
  const [started, setStarted] = useState({ error, at: Date.now() })
  if (started.error !== error) setStarted({ error, at: Date.now() })
  return Math.max(0, Math.ceil(seconds - (useNow(seconds > 0 ? 1_000 : undefined) - started.at) / 1_000))
}
