import { createHash } from 'node:crypto'
import { compactVerify, decodeProtectedHeader, errors } from 'jose'
import { boolean, bytes, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { TenantScope } from '../scope.ts'
import { signingAlgorithm } from '../signing-key/key-ring.ts'
import { type AgeClaims, ageClaims } from './age-claims.ts'

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
 * Validates an age token of the tenant: one statement, and no signature check for a token in the cache. Only the exact
 * token that was issued is valid; its expiry, age and revocation are the stored ones, as whoever has a leaked signing key
 * can sign other claims.
 */
export async function validateToken(scope: TenantScope, token: string): Promise<TokenValidation> {
  const reason = await reasonFor(scope, token)
  return { valid: reason === 'OK', over18: reason === 'OK', reason }
}

async function reasonFor(scope: TenantScope, token: string): Promise<ValidationReason> {
  const hash = createHash('sha256').update(token).digest()
  const claims = await verifiedClaims(scope, token, hash.toString('base64'))
  if (!claims || claims.aud !== scope.actor.tenantId) return 'TOKEN_NOT_FOUND'
  const { aud: tenantId, sub: verificationId, jti } = claims
  const [stored] = await findToken(scope.pool, { tenantId, verificationId, jti, hash })
  if (!stored) return 'TOKEN_NOT_FOUND'
  if (stored.revoked) return 'TOKEN_REVOKED'
  if (stored.expiresAt <= scope.now) return 'TOKEN_EXPIRED'
  return stored.over18 ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
}

async function verifiedClaims(
  scope: TenantScope,
  token: string,
  fingerprint: string,
): Promise<AgeClaims | undefined> {
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
export const findToken = statement({
  name: 'find-token',
  text: `select t.revoked_at is not null or k.compromised_at is not null as revoked, t.expires_at as "expiresAt", t.over18
   from token t join signing_key k on k.kid = t.kid
   where t.tenant_id = :tenantId and t.verification_id = :verificationId and t.jti = :jti
     and sha256(convert_to(t.jwt, 'UTF8')) = :hash`,
  values: {
    tenantId: uuid,
    verificationId: uuid,
    jti: uuid,
    /** SHA-256 of the token. */
    hash: bytes,
  },
  row: { revoked: boolean, expiresAt: timestamp, over18: boolean },
})
