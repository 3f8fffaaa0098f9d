import { isRecord, parseJson } from './json.ts'

/** Of a token that is valid, but whose check was completed longer ago than was asked for: start a new verification. */
export type TooOld = 'TOKEN_TOO_OLD'

/**
 * Whether the check that the claims prove was completed longer ago. `iat` is compared as `exp` is: to the second, without
 * a tolerance; one in the future is that of a clock that is behind. Without a number as `iat` it always is.
 */
export function isTooOld(claims: unknown, maxAgeSeconds: number | undefined, now: Date): boolean {
  if (maxAgeSeconds === undefined) return false
  const iat = isRecord(claims) ? claims.iat : undefined
  return typeof iat !== 'number' || (iat + maxAgeSeconds) * 1000 <= now.getTime()
}

/** The claims of a token whose signature was verified elsewhere; undefined for a text that is none. */
export function claimsOf(token: string): unknown {
  try {
    return parseJson(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}
