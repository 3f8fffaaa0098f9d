import { SignJWT } from 'jose'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { signingAlgorithm } from '../signing-key/key-ring.ts'

export interface SignedToken {
  jti: string
  kid: string
  jwt: string
  over18: boolean
  issuedAt: Date
  expiresAt: Date
}

/** Signs the age token of an approved verification. Throws `INTERNAL_ERROR` without the signing key. */
export async function signAgeToken(
  scope: Scope,
  approved: { verificationId: string; tenantId: string; over18: boolean; kid: string },
): Promise<SignedToken> {
  const { verificationId, tenantId, over18, kid } = approved
  const signer = await scope.keyRing.signer(kid)
  if (!signer) throw new DomainError('INTERNAL_ERROR', { cause: `there is no signing key ${kid}` })
  const jti = newId(scope.now)
  const issuedAt = wholeSecond(scope.now.getTime())
  const expiresAt = wholeSecond(scope.now.getTime() + scope.rules.tokenLifetimeMs)
  const jwt = await new SignJWT({ over18 })
    .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
    .setIssuer(scope.rules.baseUrl)
    .setSubject(verificationId)
    .setAudience(tenantId)
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signer)
  return { jti, kid, jwt, over18, issuedAt, expiresAt }
}

/** A token's times are in whole seconds, so that the stored times equal the signed ones. */
function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}
