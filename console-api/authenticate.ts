import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { DomainError } from '#domain/errors.ts'
import type { Clock } from '#domain/ports.ts'
import { createIssuerKeys } from './issuer-keys.ts'

/** A signed-in user, as the sign-in provider vouches for it. */
export interface User {
  issuer: string
  subject: string
  name: string | undefined
  email: string | undefined
}

/** Turns the header `Authorization` into a user. Throws `UNAUTHENTICATED_TENANT`, or `INTERNAL_ERROR`. */
export type Authenticate = (authorization: string | undefined) => Promise<User>

export interface AuthenticatorOptions {
  issuer: string
  audience: string
  /** Where the issuer's keys are; without it, where its discovery document says. */
  jwksUri?: string
  clock: Clock
  fetch?: typeof fetch
}

/** Asymmetric only: with a shared secret, the public key could be made to pass as one. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** As long as a member's subject can be. */
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

/** Whatever is wrong with the token is the caller's; only keys that can't be had are not. */
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
  const readable = typeof sub === 'string' && sub.isWellFormed() && !sub.includes('\0')
  if (!readable || sub === '' || sub.length > subjectLengthMax) throw notSignedIn()
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
