import type { JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from 'jose'
import { DomainError } from '#domain/errors.ts'
import { hasHiddenCharacters } from '#domain/parameters.ts'
import type { Clock } from '#domain/ports.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import { verifyJwt } from './verify-jwt.ts'

/** A signed-in user, as identified by the sign-in provider. */
export interface User {
  issuer: string
  subject: string
  name: string | undefined
  email: string | undefined
}

/** Names a user in counters; a subject is only unique at its issuer. */
export function userKey({ issuer, subject }: Pick<User, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`
}

/** Authenticates the header `Authorization`. Throws `UNAUTHENTICATED_TENANT` or `INTERNAL_ERROR`. */
export type Authenticate = (authorization: string | undefined) => Promise<User>

export interface AuthenticatorOptions {
  /** Its discovery document locates the signing keys. */
  issuer: string
  audience: string
  /** The dashboard's client. */
  clientId: string
  clock: Clock
  fetch?: typeof fetch
  /** The issuer's keys, where they are used for more than this. */
  keys?: JWTVerifyGetKey
}

/** The maximum length of a member's subject. */
const subjectLengthMax = 255

export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { issuer, audience, clientId, clock, keys = createIssuerKeys(options) } = options
  return async authorization => {
    const rules = { issuer, audience, now: clock() }
    const verified = await verifyJwt(bearerToken(authorization), keys, rules, notSignedIn)
    if (!isAccessToken(verified) || !isForUserOf(clientId, verified.payload)) throw notSignedIn()
    return readUser(verified.payload, issuer)
  }
}

function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (!token) throw notSignedIn()
  return token
}

/**
 * Other JWTs of the issuer may have the same audience. An access token has the type `at+jwt` (RFC 9068), or none or `JWT`
 * with older issuers; then the claims of ID tokens (OpenID Connect Core, 3.1.3.6) and of logout tokens and other security
 * events (RFC 8417) show what it is. One that is bound to a key of its client (RFC 7800) is no bearer token.
 */
function isAccessToken({ protectedHeader: { typ }, payload }: JWTVerifyResult): boolean {
  if (typ !== undefined && !accessTokenTypes.includes(typ.toLowerCase().replace(/^application\//, '')))
    return false
  return !foreignClaims.some(claim => claim in payload)
}

const accessTokenTypes = ['at+jwt', 'jwt']
const foreignClaims = ['at_hash', 'c_hash', 's_hash', 'events', 'cnf']

/** Whether each claim that names the token's client names this one, and it was issued for a user, not for the client itself. */
function isForUserOf(clientId: string, payload: JWTPayload): boolean {
  if (clientClaims.some(claim => claim in payload && payload[claim] !== clientId)) return false
  const { sub, gty } = payload
  return sub !== clientId && !String(sub).endsWith(ownBehalfSuffix) && gty !== 'client-credentials'
}

/** OpenID Connect Core, RFC 9068, Okta, version 1 of Microsoft Entra ID. */
const clientClaims = ['azp', 'client_id', 'cid', 'appid']

/** Of the subject of an Auth0 client on its own behalf. */
const ownBehalfSuffix = '@clients'

function readUser({ sub, name, email }: JWTPayload, issuer: string): User {
  if (typeof sub !== 'string' || hasHiddenCharacters(sub)) throw notSignedIn()
  if (sub === '' || sub.length > subjectLengthMax) throw notSignedIn()
  return { issuer, subject: sub, name: textClaim(name), email: textClaim(email) }
}

function textClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && !hasHiddenCharacters(claim) ? claim : undefined
}

function notSignedIn(cause?: unknown): DomainError {
  return new DomainError('UNAUTHENTICATED_TENANT', {
    message: 'The sign-in is missing, invalid or expired. Sign in again.',
    cause,
  })
}
