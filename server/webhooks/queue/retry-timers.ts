import type { Clock } from '#domain/ports.ts'

/** Concurrent timers at most; polling finds retries without one. */
const timersMax = 1_000

/** Compensates for timers that fire slightly early, before the retry is due. */
const marginMs = 2

/** Wakes the worker when a retry becomes due, so that it needn't wait for the next poll. */
export interface RetryTimers {
  schedule(dueAt: Date): void
  close(): void
}

export function createRetryTimers(wake: () => void, clock: Clock): RetryTimers {
  const timers = new Set<NodeJS.Timeout>()
  return {
    schedule(dueAt) {
      if (timers.size >= timersMax) return
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          wake()
        },
        // A step of the clock may have made it due already.
        Math.max(0, dueAt.getTime() - clock().getTime()) + marginMs,
      )
      timers.add(timer.unref())
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
