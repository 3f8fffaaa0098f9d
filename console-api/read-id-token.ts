import type { JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from 'jose'
import type { DomainError } from '#domain/errors.ts'
import { invalidParameter } from '#domain/parameters.ts'
import type { Clock } from '#domain/ports.ts'
import type { User } from './authenticate.ts'
import { verifyJwt } from './verify-jwt.ts'

/** The claims of an ID token that describe the user. */
export type IdTokenClaims = Pick<User, 'name' | 'email'>

/**
 * Reads an ID token of the signed-in user. Throws `INVALID_PARAMETERS` unless the issuer has issued it to the dashboard, for
 * this user, and it has not expired; `INTERNAL_ERROR` if the issuer's keys can't be fetched.
 */
export type ReadIdToken = (idToken: string, user: User) => Promise<IdTokenClaims>

export interface IdTokenReaderOptions {
  issuer: string
  /** The dashboard's client, for which ID tokens are issued. */
  clientId: string
  clock: Clock
  keys: JWTVerifyGetKey
}

export function createIdTokenReader({ issuer, clientId, clock, keys }: IdTokenReaderOptions): ReadIdToken {
  return async (idToken, { subject }) => {
    const rules = { issuer, audience: clientId, now: clock() }
    const verified = await verifyJwt(idToken, keys, rules, notValid)
    const { payload } = verified
    if (!isIdToken(verified) || !isFor(payload, clientId)) throw notValid()
    if (payload.sub !== subject) throw invalidParameter('idToken', 'The ID token is of another user.')
    return { name: readText(payload.name), email: isRefuted(payload) ? undefined : readText(payload.email) }
  }
}

/** An ID token has no type, or `JWT`; an access token may have the same audience. */
function isIdToken({ protectedHeader: { typ }, payload }: JWTVerifyResult): boolean {
  return (typ === undefined || typ.toLowerCase() === 'jwt') && !('events' in payload)
}

/** OpenID Connect Core, 3.1.3.7: with several audiences, the authorized party must be the client. */
function isFor({ aud, azp }: JWTPayload, clientId: string): boolean {
  return azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId
}

/** Whether the issuer says that the address may be somebody else's. */
function isRefuted({ email_verified }: JWTPayload): boolean {
  return email_verified === false || email_verified === 'false'
}

function readText(claim: unknown): string | undefined {
  return typeof claim === 'string' ? claim : undefined
}

function notValid(): DomainError {
  return invalidParameter('idToken', 'The ID token is not valid. Sign in again.')
}
