import { z } from 'zod'
import { bytes, int, nullable, smallint, type Typed, text, timestamp, uuid } from '../database/sql-types.ts'
import { timeOfId } from '../ids.ts'
import { toTokenStatus } from './status-list.policy.ts'

/** The claims of an age token. No personal data. */
export const ageClaims = z.object({
  iss: z.string(),
  /** The verificationId. */
  sub: z.uuid(),
  /** The tenantId. */
  aud: z.uuid(),
  jti: z.uuid(),
  /** Seconds since the epoch. */
  iat: z.int(),
  /** Seconds since the epoch. */
  exp: z.int(),
  /** When the provider decided, in seconds since the epoch: the age of the proof. */
  auth_time: z.int(),
  over18: z.boolean(),
  /** Where to look whether it was revoked: draft-ietf-oauth-status-list. */
  status: z.object({ status_list: z.object({ idx: z.int(), uri: z.string() }) }),
})

export type AgeClaims = z.infer<typeof ageClaims>

/** What the tokens of a signing key have in common. Stored once, in `token_signer`. */
export interface TokenTerms {
  kid: string
  /** The service's address when the token was issued. */
  issuer: string
  lifetimeSeconds: number
}

/** The columns of a verification's token, all null if it has none. */
export const tokenRow = {
  jti: nullable(uuid),
  signer: nullable(smallint),
  statusIndex: nullable(int),
  signature: nullable(bytes),
  /** By the provider's clock. */
  decidedAt: nullable(timestamp),
  kid: nullable(text),
  issuer: nullable(text),
  lifetimeSeconds: nullable(int),
  /** When it was revoked, or its signing key was reported as compromised: the earlier of both. */
  revokedAt: nullable(timestamp),
}

/** The columns of `tokenRow`, selected from `verification v` and `tokenJoins`. */
export const tokenColumns = `v.token_id as jti, v.token_signer as signer, v.token_status_index as "statusIndex",
     v.token_signature as signature, v.decided_at as "decidedAt", s.kid, s.issuer, s.lifetime_seconds as "lifetimeSeconds",
     least(v.token_revoked_at, k.compromised_at) as "revokedAt"`

export const tokenJoins =
  'left join (token_signer s join signing_key k on k.kid = s.kid) on s.id = v.token_signer'

/** A verification's row as far as its token depends on it. */
export interface TokenSource extends Omit<Typed<typeof tokenRow>, 'revokedAt'> {
  verificationId: string
  tenantId: string
  /** When the token was issued. */
  completedAt: Date | null
  over18: boolean | null
}

/** The token that was issued for a verification, byte for byte as `jose` signed it; null if none was. */
export function toAgeToken(source: TokenSource): string | null {
  const claims = readClaims(source)
  const { signature, kid } = source
  if (!claims || !signature || !kid) return null
  return `${encoded(ageTokenHeader(kid))}.${encoded(claims)}.${signature.toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

export const signingAlgorithm = 'ES256'

/** The protected header, in the order in which it is signed. */
export function ageTokenHeader(kid: string) {
  return { alg: signingAlgorithm, kid, typ: 'JWT' }
}

/** The claims of the token that was issued for a verification; null if none was. */
export function readClaims(source: TokenSource): AgeClaims | null {
  const { completedAt: issuedAt, jti, signer, statusIndex, issuer, lifetimeSeconds } = source
  if (jti === null || issuedAt === null || issuer === null || lifetimeSeconds === null) return null
  if (signer === null || statusIndex === null) return null
  return toAgeClaims({ ...source, jti, issuedAt, signer, statusIndex, issuer, lifetimeSeconds })
}

interface Approval extends Omit<TokenTerms, 'kid'> {
  verificationId: string
  tenantId: string
  jti: string
  /** The id of the `token_signer` with these terms. */
  signer: number
  /** The place in the status lists of the signer. */
  statusIndex: number
  /** Null if the age could not be confirmed; the token then says that the person is not 18 or over. */
  over18: boolean | null
  /** By the provider's clock, however wrong; null if it named no time. */
  decidedAt: Date | null
  issuedAt: Date
}

/** The claims in the order in which they are signed. */
export function toAgeClaims(approval: Approval): AgeClaims {
  const { verificationId, issuer, lifetimeSeconds, signer, statusIndex, issuedAt } = approval
  const iat = toSeconds(issuedAt)
  const decidedAt = toSeconds(approval.decidedAt ?? issuedAt)
  return {
    over18: approval.over18 === true,
    iss: issuer,
    sub: verificationId,
    aud: approval.tenantId,
    jti: approval.jti,
    iat,
    exp: iat + lifetimeSeconds,
    // Not before the session, and not in the future.
    auth_time: Math.min(Math.max(decidedAt, toSeconds(timeOfId(verificationId))), iat),
    status: toTokenStatus(issuer, signer, statusIndex),
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/** When the token of `verification v` expires, in SQL, up to a second later; `token_signer s` is its signer. */
export const tokenExpiry = `(v.completed_at + make_interval(secs => s.lifetime_seconds))`

/** The UTC day on which it expires. */
export const tokenExpiryDay = `(${tokenExpiry} at time zone 'UTC')::date`
