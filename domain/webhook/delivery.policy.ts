/** One attempt at once and two more: no delivery ever has a fourth. */
export const attemptsMax = 3

/**
 * For how long a claimed delivery belongs to its worker. The 5 s of an attempt, and room to begin it and to
 * store its result; what a killed worker held is free again after that.
 */
export const leaseMs = 8_000

/** An attempt that begins later after its claim might outlast the lease. */
export const beginWithinMs = 2_500

/** After this time, counted from its creation, a delivery is over and forgotten, finished or not. */
const deliveryLifetimeMs = 24 * 60 * 60_000

/** Up to this share a retry comes earlier or later, so that what failed together does not return together. */
const jitter = 0.1

/** When the next attempt is due, after an attempt (1 or 2) that failed at a moment; `random` is in [0, 1). */
export function nextAttemptAt(
  attempt: number,
  failedAt: Date,
  retryDelaysMs: readonly [number, number],
  random: () => number,
): Date {
  const delay = retryDelaysMs[attempt <= 1 ? 0 : 1]
  return new Date(failedAt.getTime() + delay * (1 - jitter + 2 * jitter * random()))
}

/** Deliveries created at this moment or before are over. */
export function createdTooEarly(now: Date): Date {
  return new Date(now.getTime() - deliveryLifetimeMs)
}
