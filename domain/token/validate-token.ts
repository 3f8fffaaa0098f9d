import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { TenantScope } from '../scope.ts'
import { readClaims, toAgeToken } from '../signing-key/age-token.ts'
import { type FoundWithKey, findStoredVerification } from '../verification/stored-verification.ts'

export const validationReasons = [
  'OK',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
  'TOKEN_NOT_FOUND',
  'UNDERAGE_OR_UNKNOWN',
] as const
export type ValidationReason = (typeof validationReasons)[number]

/** `valid`, `over18` and the reason `OK` are true together or not at all. */
export interface TokenValidation {
  valid: boolean
  over18: boolean
  reason: ValidationReason
}

/**
 * Validates an age token of the tenant. `found`: of the verification that it names, by `verificationOfToken`. Only the exact
 * token that was issued is valid, as whoever has a leaked signing key can sign other claims: it is made again from the stored
 * row and compared, with its signature, which therefore needs no verification.
 */
export async function validateToken(
  scope: TenantScope,
  token: string,
  found?: FoundWithKey,
): Promise<TokenValidation> {
  const reason = await reasonFor(scope, token, found)
  return { valid: reason === 'OK', over18: reason === 'OK', reason }
}

async function reasonFor(
  scope: TenantScope,
  token: string,
  found: FoundWithKey | undefined,
): Promise<ValidationReason> {
  const verificationId = found?.verificationId ?? verificationOfToken(token)
  if (!verificationId) return 'TOKEN_NOT_FOUND'
  scope.request?.describe({ verificationId })
  const stored = await findStoredVerification(scope, verificationId, found)
  const source = stored && { ...stored, tenantId: scope.actor.tenantId }
  const claims = source && readClaims(source)
  if (!claims || !isSame(token, toAgeToken(source))) return 'TOKEN_NOT_FOUND'
  if (stored.revokedAt) return 'TOKEN_REVOKED'
  if (claims.exp * 1000 <= scope.now.getTime()) return 'TOKEN_EXPIRED'
  return stored.over18 ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
}

const subject = z.object({ sub: z.uuid() })

/** The verification that a token names, whether it is a token of it or not. */
export function verificationOfToken(token: string): string | undefined {
  try {
    const payload = Buffer.from(token.split('.', 2)[1] ?? '', 'base64url').toString()
    return subject.safeParse(JSON.parse(payload)).data?.sub.toLowerCase()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Takes as long for each token of the same length, so that nobody finds a signature out piece by piece. */
function isSame(token: string, issued: string | null): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(issued ?? '')]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
