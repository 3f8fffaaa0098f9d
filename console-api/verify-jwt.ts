import { type CryptoKey, errors, type JWTVerifyGetKey, type JWTVerifyResult, jwtVerify } from 'jose'
import { DomainError } from '#domain/errors.ts'

/** Asymmetric algorithms only: with a symmetric one, the public key could be used as the shared secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** How far the issuer's clock and this one may differ. */
const clockToleranceSeconds = 30

export interface JwtRules {
  issuer: string
  audience: string
  now: Date
}

/**
 * Verifies signature, issuer, audience and time of a token of the sign-in provider. Throws what `invalid` makes of the
 * cause for a token that fails, and `INTERNAL_ERROR` if the issuer's keys can't be fetched.
 */
export async function verifyJwt(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, now }: JwtRules,
  invalid: (cause: unknown) => DomainError,
): Promise<JWTVerifyResult> {
  const times = { requiredClaims: ['exp', 'sub'], currentDate: now, clockTolerance: clockToleranceSeconds }
  const options = { issuer, audience, algorithms, ...times }
  try {
    return await jwtVerify(token, keys, options).catch(error => {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      return verifyWithEach(error, key => jwtVerify(token, key, options))
    })
  } catch (error) {
    throw error instanceof DomainError ? error : invalid(error)
  }
}

/** Of one key id, or of those that a token without one can be signed with. */
const candidatesMax = 8

/** Some issuers publish several keys under one key id, so the signature decides which it is. */
async function verifyWithEach(
  candidates: AsyncIterable<CryptoKey>,
  verify: (key: CryptoKey) => Promise<JWTVerifyResult>,
): Promise<JWTVerifyResult> {
  let left = candidatesMax
  let failure: unknown = new errors.JWKSNoMatchingKey()
  for await (const key of candidates) {
    if (left-- === 0) break
    try {
      return await verify(key)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
