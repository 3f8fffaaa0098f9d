import type { Clock } from '#domain/ports.ts'

/** Timers at once; a retry that has none is found by polling. */
const timersMax = 1_000

/** A timer may go off a moment early, when the retry is not due yet. */
const marginMs = 2

/** Rings when a retry becomes due, so that it is not as late as the polling is slow. */
export interface RetryTimers {
  ringAt(dueAt: Date): void
  close(): void
}

export function createRetryTimers(ring: () => void, clock: Clock): RetryTimers {
  const timers = new Set<NodeJS.Timeout>()
  return {
    ringAt(dueAt) {
      if (timers.size >= timersMax) return
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          ring()
        },
        dueAt.getTime() - clock().getTime() + marginMs,
      )
      timers.add(timer.unref())
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
