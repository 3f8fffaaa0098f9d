import { isRecord, parseJson } from './json.ts'

/** Of a token that is valid, but whose check was longer ago than was asked for: start a new verification. */
export type TooOld = 'TOKEN_TOO_OLD'

/**
 * Whether the check that the claims prove was longer ago. `auth_time` is compared as `exp` is: to the second, without
 * a tolerance; one in the future is that of a clock that is behind. Without a number as `auth_time` it always is.
 */
export function isTooOld(claims: unknown, maxAgeSeconds: number | undefined, now: Date): boolean {
  if (maxAgeSeconds === undefined) return false
  const decidedAt = isRecord(claims) ? claims.auth_time : undefined
  return typeof decidedAt !== 'number' || (decidedAt + maxAgeSeconds) * 1000 <= now.getTime()
}

/** The claims of a token whose signature was verified elsewhere; undefined for a text that is none. */
export function claimsOf(token: string): unknown {
  try {
    return parseJson(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}
