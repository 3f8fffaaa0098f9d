/** Each key has two rate windows: `write` for start, complete and submit; `read` for status and validate. */
export type RateClass = 'write' | 'read'

/** Live keys, neither revoked nor expired, of one tenant. */
export const liveKeysMax = 100

/**
 * Keys that one tenant may create within 24 hours, those that have ended since included: each is stored for 90 days after its
 * end, and longer in the audit log.
 */
export const keysPerDayMax = 1_000

/** How long a revoked or expired key stays in the list. */
export const endedKeyRetentionMs = 90 * 24 * 60 * 60 * 1000

/** How long a key that is replaced may still be used beside its replacement, in hours. */
export const overlapHours = { min: 0, default: 24, max: 168 } as const

/** The latest expiry of a key: later years have more than four digits, which ISO 8601 and PostgreSQL write differently. */
export const expiryMax = new Date('9999-12-31T23:59:59.999Z')

/** Whether a key with this expiry (null: never) has expired; from the millisecond of the expiry on. */
export function hasExpired(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}
