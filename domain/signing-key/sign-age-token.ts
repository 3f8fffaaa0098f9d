import { SignJWT } from 'jose'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { tokenIssuer } from '../tenant/test-tenant.policy.ts'
import { ageTokenHeader, toAgeClaims } from './age-token.ts'

/** What is stored of a token: with the verification's row it makes the token again, byte for byte. */
export interface SignedToken {
  jti: string
  /** The id of its `token_signer`. */
  signer: number
  /** The place in the status lists of the signer. */
  statusIndex: number
  /** 64 bytes. */
  signature: Buffer
}

interface ApprovedVerification {
  verificationId: string
  tenantId: string
  over18: boolean | null
  decidedAt: Date | null
  kid: string
  test: boolean
  /** Of the tenant: when the verification is deleted, its token has expired. */
  retentionDays: number | null
}

/**
 * Signs the age token of an approved verification. The signature is stored and the token is not: an ES256 signature is
 * random, so it could only be made again with deterministic nonces (RFC 6979), which neither Node nor Web Crypto has,
 * and signing for each status would cost more than reading 64 bytes. Throws `INTERNAL_ERROR` without the signing key.
 */
export async function signAgeToken(
  scope: Pick<Scope, 'now' | 'rules' | 'keyRing'>,
  approved: ApprovedVerification,
): Promise<SignedToken> {
  const { now, rules, keyRing } = scope
  const { kid, test, retentionDays, ...verification } = approved
  const retentionSeconds = retentionDays === null ? Number.POSITIVE_INFINITY : retentionDays * 86_400
  const lifetimeSeconds = Math.min(Math.floor(rules.tokenLifetimeMs / 1000), retentionSeconds)
  const terms = { kid, issuer: tokenIssuer(rules, test), lifetimeSeconds }
  const signer = await keyRing.signer(terms)
  if (!signer) throw new DomainError('INTERNAL_ERROR', { cause: `there is no signing key ${kid}` })
  const stored = { jti: newId(now), signer: signer.indexes.signer, statusIndex: await signer.indexes.next() }
  const claims = toAgeClaims({ ...verification, ...terms, ...stored, issuedAt: now })
  const jwt = await new SignJWT(claims).setProtectedHeader(ageTokenHeader(kid)).sign(signer.key)
  return { ...stored, signature: Buffer.from(jwt.slice(jwt.lastIndexOf('.') + 1), 'base64url') }
}
