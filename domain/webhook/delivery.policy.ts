/** One immediate attempt and two retries: no delivery ever has a fourth attempt. */
export const attemptsMax = 3

/**
 * How long a worker owns a delivery that it claimed: the 5 s of an attempt, and time to begin it and to store its
 * result. Afterwards other workers can reclaim what a killed worker owned.
 */
export const leaseMs = 8_000

/** An attempt that begins later than this after its claim could outlast the lease. */
export const beginWithinMs = 2_500

/** How long after its creation a delivery expires and is deleted, finished or not. */
export const deliveryLifetimeMs = 24 * 60 * 60_000

/** The share by which a retry is earlier or later, so that deliveries that failed together are spread out. */
const jitter = 0.1

/** When the next attempt is due after a failed attempt (1 or 2). `random` returns a number in [0, 1). */
export function nextAttemptAt(
  attempt: number,
  failedAt: Date,
  retryDelaysMs: readonly [number, number],
  random: () => number,
): Date {
  const delay = retryDelaysMs[attempt <= 1 ? 0 : 1]
  return new Date(failedAt.getTime() + delay * (1 - jitter + 2 * jitter * random()))
}

/** Deliveries created at this time or earlier have expired. */
export function createdTooEarly(now: Date): Date {
  return new Date(now.getTime() - deliveryLifetimeMs)
}
