import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { DomainError } from '#domain/errors.ts'
import type { Clock } from '#domain/ports.ts'
import { createIssuerKeys } from './issuer-keys.ts'

/** A signed-in user, as identified by the sign-in provider. */
export interface User {
  issuer: string
  subject: string
  name: string | undefined
  email: string | undefined
}

/** Authenticates the header `Authorization`. Throws `UNAUTHENTICATED_TENANT` or `INTERNAL_ERROR`. */
export type Authenticate = (authorization: string | undefined) => Promise<User>

export interface AuthenticatorOptions {
  /** Its discovery document locates the signing keys. */
  issuer: string
  audience: string
  clock: Clock
  fetch?: typeof fetch
}

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

/** The maximum length of a member's subject. */
const subjectLengthMax = 255

export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { issuer, audience, clock } = options
  const keys = createIssuerKeys(options)
  return async authorization => {
    const payload = await verify(bearerToken(authorization), keys, {
      issuer,
      audience,
      algorithms,
      requiredClaims: ['exp', 'sub'],
      currentDate: clock(),
    })
    return userOf(payload, issuer)
  }
}

function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (!token) throw notSignedIn()
  return token
}

/** Every failure is the caller's, except that of fetching the issuer's keys, which is a `DomainError` already. */
async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  rules: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, rules)
    return payload
  } catch (error) {
    throw error instanceof DomainError ? error : notSignedIn(error)
  }
}

function userOf({ sub, name, email }: JWTPayload, issuer: string): User {
  const isText = typeof sub === 'string' && sub.isWellFormed() && !sub.includes('\0')
  if (!isText || sub === '' || sub.length > subjectLengthMax) throw notSignedIn()
  return { issuer, subject: sub, name: textClaim(name), email: textClaim(email) }
}

function textClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

function notSignedIn(cause?: unknown): DomainError {
  return new DomainError('UNAUTHENTICATED_TENANT', {
    message: 'The sign-in is missing, invalid or has ended. Sign in again.',
    cause,
  })
}
