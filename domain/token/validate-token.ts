import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { sharedLookup } from '../database/shared-statements.ts'
import { boolean, int, nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { readClaims, toAgeToken, tokenColumns, tokenRow } from '../signing-key/age-token.ts'

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
 * Validates an age token of the tenant with one look-up. Only the exact token that was issued is valid, as whoever has a
 * leaked signing key can sign other claims: it is made again from the stored row and compared, with its signature, which
 * therefore needs no verification.
 */
export async function validateToken(scope: TenantScope, token: string): Promise<TokenValidation> {
  const reason = await reasonFor(scope, token)
  return { valid: reason === 'OK', over18: reason === 'OK', reason }
}

async function reasonFor(scope: TenantScope, token: string): Promise<ValidationReason> {
  const { tenantId } = scope.actor
  const verificationId = readVerificationId(token)
  if (verificationId) scope.request?.describe({ verificationId })
  if (!verificationId || !isRetained(scope, verificationId)) return 'TOKEN_NOT_FOUND'
  const stored = await findToken(scope.pool, { tenantId, verificationId })
  const source = stored && { ...stored, tenantId, verificationId }
  const claims = source && readClaims(source)
  if (!claims || !isSame(token, toAgeToken(source))) return 'TOKEN_NOT_FOUND'
  if (stored.revokedAt) return 'TOKEN_REVOKED'
  if (claims.exp * 1000 <= scope.now.getTime()) return 'TOKEN_EXPIRED'
  return stored.over18 ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
}

const subject = z.object({ sub: z.uuid() })

/** The verification that a token names, whether it is a token of it or not. */
function readVerificationId(token: string): string | undefined {
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

const key = { tenantId: uuid, verificationId: uuid }

export const findTokens = statement({
  name: 'find-token',
  text: `select w.position::int, v.completed_at as "completedAt", v.over18, ${tokenColumns}
   from ${valueRows(key)}
     join verification v on v.id = w.verification_id and v.tenant_id = w.tenant_id
     join token_signer s on s.id = v.token_signer join signing_key k on k.kid = s.kid
   where v.id = any (:verificationId)`,
  values: arrayTypes(key),
  row: { position: int, completedAt: nullable(timestamp), over18: nullable(boolean), ...tokenRow },
})

const findToken = sharedLookup(key, findTokens)
