import { publicPem } from './es256.ts'
import {
  active,
  audience,
  claims,
  encoded,
  expiresAt,
  foreign,
  hs256,
  isoOf,
  issuedAt,
  issuer,
  jwks,
  jwt,
  list,
  listAt,
  listType,
  listUri,
  now,
  retired,
  statusAt,
  token,
} from './token-documents.ts'

export type TokenReason =
  | 'OK'
  | 'TOKEN_MALFORMED'
  | 'ALGORITHM_NOT_ALLOWED'
  | 'KEY_UNKNOWN'
  | 'SIGNATURE_INVALID'
  | 'ISSUER_MISMATCH'
  | 'AUDIENCE_MISMATCH'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_REVOKED'
  | 'UNDERAGE_OR_UNKNOWN'
  | 'STATUS_LIST_UNUSABLE'

export interface TokenVector {
  name: string
  token: string
  /** The expected `iss`. */
  issuer: string
  /** The expected `aud`: the tenant id. */
  audience: string
  /** The verifier's clock. */
  now: string
  /** What `GET /.well-known/jwks.json` returns. */
  jwks: { keys: object[] }
  /** What `GET` of each address returns; no other one responds. */
  statusLists: Record<string, string>
  /** Of offline verification. `undecided`: neither may be concluded, as the status is not known. */
  verdict: 'valid' | 'invalid' | 'undecided'
  reason: TokenReason
  /** The `reason` that `POST /tokens/validate` returns at this time. */
  online: 'OK' | 'TOKEN_NOT_FOUND' | 'TOKEN_REVOKED' | 'TOKEN_EXPIRED' | 'UNDERAGE_OR_UNKNOWN'
}

export function tokenVectors(): TokenVector[] {
  return [
    ...issued(),
    ...ageNotConfirmed(),
    ...otherClaims(),
    ...notSigned(),
    ...malformed(),
    ...listFaults(),
  ]
}

/** As the service issued them. */
function issued(): TokenVector[] {
  const ofRetired = { ...claims, status: statusAt(4711, `${issuer}/tokens/status-lists/2`) }
  return [
    vector('a token', {}),
    vector('in the second before it expires', { now: isoOf(expiresAt - 1) }),
    vector('of a retired key that is still published', {
      token: jwt(retired, ofRetired),
      statusLists: listAt(ofRetired.status.status_list.uri),
    }),
    vector('in the second of its expiry', {
      now: isoOf(expiresAt),
      reason: 'TOKEN_EXPIRED',
      online: 'TOKEN_EXPIRED',
    }),
    vector('a year later', {
      now: isoOf(issuedAt + 365 * 86_400),
      reason: 'TOKEN_EXPIRED',
      online: 'TOKEN_EXPIRED',
    }),
    vector('of a person under 18', {
      token: jwt(active, { ...claims, over18: false }),
      reason: 'UNDERAGE_OR_UNKNOWN',
      online: 'UNDERAGE_OR_UNKNOWN',
    }),
    vector('revoked', {
      statusLists: { [listUri]: list({ revoked: [4711] }) },
      reason: 'TOKEN_REVOKED',
      online: 'TOKEN_REVOKED',
    }),
    vector('revoked, of a person under 18', {
      token: jwt(active, { ...claims, over18: false }),
      statusLists: { [listUri]: list({ revoked: [4711] }) },
      reason: 'TOKEN_REVOKED',
      online: 'TOKEN_REVOKED',
    }),
    vector('revoked with all tokens of its list', {
      statusLists: { [listUri]: list({ revoked: 'all' }) },
      reason: 'TOKEN_REVOKED',
      online: 'TOKEN_REVOKED',
    }),
    vector('revoked since the list was fetched, which is recognized online only', {
      online: 'TOKEN_REVOKED',
    }),
    vector('revoked and expired', {
      now: isoOf(expiresAt),
      statusLists: { [listUri]: list({ revoked: [4711], at: isoOf(expiresAt) }) },
      reason: 'TOKEN_EXPIRED',
      online: 'TOKEN_REVOKED',
    }),
  ]
}

/** Never issued: signed by the service's key, whose `over18` is not `true` or `false`. */
function ageNotConfirmed(): TokenVector[] {
  const { over18: _, ...withoutAge } = claims
  const reason = 'UNDERAGE_OR_UNKNOWN'
  return [
    forged('without over18', { token: jwt(active, withoutAge), reason }),
    forged('over18 is the text "true"', { token: jwt(active, { ...claims, over18: 'true' }), reason }),
    forged('over18 is 1', { token: jwt(active, { ...claims, over18: 1 }), reason }),
    forged('over18 is null', { token: jwt(active, { ...claims, over18: null }), reason }),
  ]
}

function otherClaims(): TokenVector[] {
  const withClaims = (changed: object) => jwt(active, { ...claims, ...changed })
  const { exp: _, ...withoutExpiry } = claims
  const { status: _status, ...withoutStatus } = claims
  return [
    forged('of another issuer', {
      token: withClaims({ iss: 'https://other.example' }),
      reason: 'ISSUER_MISMATCH',
    }),
    forged('whose issuer has a slash at the end', {
      token: withClaims({ iss: `${issuer}/` }),
      reason: 'ISSUER_MISMATCH',
    }),
    forged('of another tenant', {
      token: withClaims({ aud: '01a1f8d0-0000-7f40-8a5b-6c7d8e9fa0bf' }),
      reason: 'AUDIENCE_MISMATCH',
    }),
    forged('without an expiry', { token: jwt(active, withoutExpiry), reason: 'TOKEN_MALFORMED' }),
    forged('whose expiry is a text', {
      token: withClaims({ exp: String(expiresAt) }),
      reason: 'TOKEN_MALFORMED',
    }),
    forged('without a status', { token: jwt(active, withoutStatus), reason: 'TOKEN_MALFORMED' }),
    forged('whose index is negative', {
      token: withClaims({ status: statusAt(-1) }),
      reason: 'TOKEN_MALFORMED',
    }),
    forged('whose index is beyond the end of the list', {
      token: withClaims({ status: statusAt(2 ** 17) }),
      reason: 'STATUS_LIST_UNUSABLE',
    }),
    forged('whose status list is at another host', {
      token: withClaims({ status: statusAt(4711, 'https://other.example/tokens/status-lists/1') }),
      reason: 'STATUS_LIST_UNUSABLE',
    }),
  ]
}

function notSigned(): TokenVector[] {
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const adult = encoded(claims)
  const [minorHeader, , minorSignature] = jwt(active, { ...claims, over18: false }).split('.')
  const hmac = { alg: 'HS256', kid: active.kid, typ: 'JWT' }
  const unsigned = encoded({ alg: 'none', kid: active.kid, typ: 'JWT' })
  return [
    forged('unsigned, with the algorithm none', {
      token: `${unsigned}.${payload}.`,
      reason: 'ALGORITHM_NOT_ALLOWED',
    }),
    forged('with the algorithm none and a signature', {
      token: `${unsigned}.${payload}.${signature}`,
      reason: 'ALGORITHM_NOT_ALLOWED',
    }),
    forged('HS256 with the public key as PEM', {
      token: hs256(hmac, publicPem(active)),
      reason: 'ALGORITHM_NOT_ALLOWED',
    }),
    forged('HS256 with the public key as JWK', {
      token: hs256(hmac, JSON.stringify(active.publicJwk)),
      reason: 'ALGORITHM_NOT_ALLOWED',
    }),
    forged('with an extension that is critical', {
      token: jwt(active, claims, { crit: ['exp'] }),
      reason: 'ALGORITHM_NOT_ALLOWED',
    }),
    forged('a status list in place of a token', { token: list({}), reason: 'ALGORITHM_NOT_ALLOWED' }),
    forged('of a key that is not published', { token: jwt(foreign, claims), reason: 'KEY_UNKNOWN' }),
    forged('without a kid', { token: jwt(foreign, claims, { kid: undefined }), reason: 'KEY_UNKNOWN' }),
    forged('with its own key in the header', {
      token: jwt(foreign, claims, { jwk: foreign.publicJwk }),
      reason: 'KEY_UNKNOWN',
    }),
    forged('signed by another key than its kid names', {
      token: jwt(foreign, claims, { kid: active.kid }),
      reason: 'SIGNATURE_INVALID',
    }),
    forged('signed by another published key than its kid names', {
      token: jwt(retired, claims, { kid: active.kid }),
      reason: 'SIGNATURE_INVALID',
    }),
    forged('of a person under 18, changed to over 18', {
      token: `${minorHeader}.${adult}.${minorSignature}`,
      reason: 'SIGNATURE_INVALID',
    }),
    forged('with the signature of zeros', {
      token: `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      reason: 'SIGNATURE_INVALID',
    }),
    forged('without its signature', { token: `${header}.${payload}.`, reason: 'SIGNATURE_INVALID' }),
  ]
}

function malformed(): TokenVector[] {
  const [header, payload] = token.split('.') as [string, string]
  const reason = 'TOKEN_MALFORMED'
  return [
    forged('nothing', { token: '', reason }),
    forged('a text', { token: 'token', reason }),
    forged('two parts', { token: `${header}.${payload}`, reason }),
    forged('four parts', { token: `${token}.`, reason }),
    forged('a header that is not JSON', { token: `bm90IEpTT04.${payload}.AAAA`, reason }),
    forged('a header that is an array', { token: `W10.${payload}.AAAA`, reason }),
  ]
}

/** A token that was issued, whose list must not be used: it may be revoked. */
function listFaults(): TokenVector[] {
  const reason = 'STATUS_LIST_UNUSABLE'
  const withList = (name: string, used: Record<string, string>) =>
    vector(name, { statusLists: used, verdict: 'undecided', reason })
  const [header, , signature] = list({ revoked: [4711] }).split('.')
  const [, notRevoked] = list({}).split('.')
  return [
    withList('whose list is not available', {}),
    withList('whose list has expired', { [listUri]: list({ at: '2026-11-21T11:44:00Z' }) }),
    withList('whose list is that of another address', { [listUri]: list({ sub: `${listUri}0` }) }),
    withList('whose list is of another type', { [listUri]: list({ header: { typ: 'JWT' } }) }),
    withList('whose list is signed by a key that is not published', { [listUri]: list({ key: foreign }) }),
    withList('whose list was changed', { [listUri]: `${header}.${notRevoked}.${signature}` }),
    withList('whose list is not signed', {
      [listUri]: `${encoded({ alg: 'none', typ: listType })}.${notRevoked}.`,
    }),
    withList('whose list is not a JWT', { [listUri]: '{"status_list":{"bits":1,"lst":"eNpjAAAAAQAB"}}' }),
    withList('whose list is empty', { [listUri]: list({ bytes: 0 }) }),
    withList('whose list is shorter than its index', { [listUri]: list({ bytes: 588 }) }),
  ]
}

type Case = Partial<TokenVector>

/** A token that was issued: valid unless the case says otherwise. */
function vector(name: string, changed: Case): TokenVector {
  const { reason = 'OK' } = changed
  const verdict = reason === 'OK' ? 'valid' : 'invalid'
  const given = { token, issuer, audience, now, jwks, statusLists: listAt(listUri, changed.now) }
  return { name, ...given, verdict, reason, online: 'OK', ...changed }
}

/** A token that was never issued. */
function forged(name: string, { reason, ...changed }: Case & { reason: TokenReason }): TokenVector {
  const verdict = reason === 'STATUS_LIST_UNUSABLE' ? 'undecided' : 'invalid'
  return vector(name, { verdict, reason, online: 'TOKEN_NOT_FOUND', ...changed })
}
