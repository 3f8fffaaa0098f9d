export const apiKeyScopes = ['verifications:write', 'verifications:read', 'tokens:validate'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Each key has two rate windows: `write` for start, complete and submit; `read` for status and validate. */
export type RateClass = 'write' | 'read'

/** How many leading characters of a key are stored in clear text, so that its owner recognises it. */
export const displayStartLength = 12

/** Live keys, neither revoked nor expired, of one tenant. */
export const liveKeysMax = 100

/** How long a revoked or expired key stays in the list. */
export const endedKeyRetentionMs = 90 * 24 * 60 * 60 * 1000

/** Whether a key with this expiry (null: never) has expired; from the millisecond of the expiry on. */
export function hasExpired(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}
