import { hash } from 'node:crypto'
import { compactVerify, decodeProtectedHeader, errors } from 'jose'
import { boolean, nullable, timestamp, uuid } from '../database/sql-types.ts'
import type { TenantScope } from '../scope.ts'
import { isRetained } from '../verification/retention.policy.ts'
import { verificationLookup } from '../verification/verification-lookup.ts'
import { type AgeClaims, ageClaims } from './age-claims.ts'
import { ageTokenOf, signingAlgorithm, tokenColumns, tokenRow } from './age-token.ts'

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
 * Validates an age token of the tenant: one look-up, and no signature check for a token in the cache. Only the exact
 * token that was issued is valid, as whoever has a leaked signing key can sign other claims: it is made again from the
 * stored row and compared.
 */
export async function validateToken(scope: TenantScope, token: string): Promise<TokenValidation> {
  const reason = await reasonFor(scope, token)
  return { valid: reason === 'OK', over18: reason === 'OK', reason }
}

async function reasonFor(scope: TenantScope, token: string): Promise<ValidationReason> {
  const claims = await verifiedClaims(scope, token)
  if (!claims || claims.aud !== scope.actor.tenantId) return 'TOKEN_NOT_FOUND'
  const { aud: tenantId, sub: verificationId, exp } = claims
  if (!isRetained(scope, verificationId)) return 'TOKEN_NOT_FOUND'
  const stored = await findToken(scope.pool, { tenantId, verificationId })
  if (!stored || ageTokenOf({ ...stored, tenantId, verificationId }) !== token) return 'TOKEN_NOT_FOUND'
  if (stored.revoked) return 'TOKEN_REVOKED'
  if (exp * 1000 <= scope.now.getTime()) return 'TOKEN_EXPIRED'
  return stored.over18 ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
}

async function verifiedClaims(scope: TenantScope, token: string): Promise<AgeClaims | undefined> {
  const fingerprint = hash('sha256', token, 'base64')
  const cached = scope.verifiedTokens.get(fingerprint)
  if (cached) return cached
  const claims = await verify(scope, token)
  if (claims) scope.verifiedTokens.set(fingerprint, claims)
  return claims
}

async function verify(scope: TenantScope, token: string): Promise<AgeClaims | undefined> {
  const kid = isCanonical(token) ? kidOf(token) : undefined
  const verifier = kid && (await scope.keyRing.verifier(kid))
  if (!verifier) return undefined
  try {
    const { payload } = await compactVerify(token, verifier, { algorithms: [signingAlgorithm] })
    return ageClaims.safeParse(JSON.parse(new TextDecoder().decode(payload))).data
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** jose ignores blanks, padding and stray bits in the signature, so a token could be altered without failing. */
function isCanonical(token: string): boolean {
  const signed = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signed, 'base64url').toString('base64url') === signed
}

/** The key id of a token, if it has the form of this service's key ids. */
function kidOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' && /^[\w-]{43}$/.test(kid) ? kid : undefined
  } catch {
    return undefined
  }
}

// The state of the signing key is read here, so a cached signature does not outlive its key.
export const findToken = verificationLookup({
  name: 'find-token',
  text: `select v.completed_at as "completedAt", v.over18, ${tokenColumns},
     v.token_revoked_at is not null or k.compromised_at is not null as revoked
   from verification v join token_signer s on s.id = v.token_signer join signing_key k on k.kid = s.kid
   where v.tenant_id = :tenantId and v.id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid },
  row: { completedAt: nullable(timestamp), over18: nullable(boolean), ...tokenRow, revoked: boolean },
})
