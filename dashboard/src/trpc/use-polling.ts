import { useState } from 'react'

export interface Polling {
  /** For `refetchInterval`. */
  refetchInterval: number | false
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
}

/** A refresh interval that the user can pause; see `Freshness`. Pass false where the data no longer changes. */
export function usePolling(intervalMs: number | false): Polling {
  const [isPaused, setPaused] = useState(false)
  return { refetchInterval: isPaused ? false : intervalMs, isPaused, setPaused }
}
