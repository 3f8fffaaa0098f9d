import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import type { TenantScope } from '../scope.ts'
import { type ValidationReason, validateToken } from '../token/validate-token.ts'
import { getVerificationTimeline } from '../verification/get-verification-timeline.ts'
import { describeUnknownToken } from './describe-unknown-token.ts'

export interface TokenInspection {
  valid: boolean
  over18: boolean
  /** Why it is not valid; null if it is. */
  reason: Exclude<ValidationReason, 'OK'> | null
  /** The verdict, and what to do where the token is not valid. */
  message: string
  /** What the text says, whoever has signed it; null if it is not a JWT. */
  header: Record<string, unknown> | null
  claims: Record<string, unknown> | null
  /** Of a token of the tenant; null otherwise. */
  verificationId: string | null
  expiresAt: Date | null
  /** When it was revoked, or its signing key was reported as compromised. */
  revokedAt: Date | null
}

/**
 * Decodes a text and validates it as an age token, as `POST /tokens/validate` would for the tenant. The token of another
 * tenant is an unknown one. Throws `DATABASE_ERROR`.
 */
export async function inspectToken(scope: TenantScope, input: { token: string }): Promise<TokenInspection> {
  const token = input.token.trim()
  const { valid, over18, reason } = await validateToken(scope, token)
  const header = decoded(() => decodeProtectedHeader(token))
  const claims = decoded(() => decodeJwt(token))
  const inspected = { valid, over18, reason: reason === 'OK' ? null : reason, header, claims }
  if (reason === 'TOKEN_NOT_FOUND') {
    const message = await describeUnknownToken(scope, { token, header, claims })
    return { ...inspected, message, verificationId: null, expiresAt: null, revokedAt: null }
  }
  const { verificationId, token: issued } = await getVerificationTimeline(scope, {
    verificationId: String(claims?.sub),
  })
  const { expiresAt = null, revokedAt = null } = issued ?? {}
  return { ...inspected, message: messages[reason], verificationId, expiresAt, revokedAt }
}

const messages: Record<Exclude<ValidationReason, 'TOKEN_NOT_FOUND'>, string> = {
  OK: 'The token is valid: the person is 18 or over.',
  UNDERAGE_OR_UNKNOWN:
    'The token is authentic, but the person is a minor or the age is unknown. Do not admit them.',
  TOKEN_EXPIRED: 'The token is authentic, but it has expired. The person has to be verified again.',
  TOKEN_REVOKED:
    'The token is authentic, but it was revoked, or its signing key was reported as compromised.',
}

/** A part of a token, without verifying anything; null if it is not that of a JWT. */
function decoded(decode: () => object): Record<string, unknown> | null {
  try {
    return { ...decode() }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
