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
  listUri,
  now,
  publicPem,
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

type Case = [name: string, reason: TokenReason, given: Partial<TokenVector>]

export function tokenVectors(): TokenVector[] {
  return [
    ...issued.map(each => vector(each)),
    ...[...ageNotConfirmed, ...otherClaims, ...notSigned, ...malformed].map(each =>
      vector(each, 'TOKEN_NOT_FOUND'),
    ),
    ...listFaults.map(each => vector(each, 'OK')),
  ]
}

/** The token that was issued, unless the case says otherwise. Online, the reason is the same by default. */
function vector([name, reason, given]: Case, online = reason as TokenVector['online']): TokenVector {
  const statusLists = { [listUri]: list({ at: given.now }) }
  const undecided = reason === 'STATUS_LIST_UNUSABLE' ? 'undecided' : 'invalid'
  const verdict = reason === 'OK' ? 'valid' : undecided
  return { name, token, issuer, audience, now, jwks, statusLists, verdict, reason, online, ...given }
}

const withClaims = (changed: object) => ({ token: jwt(active, { ...claims, ...changed }) })
const minor = withClaims({ over18: false })
const withList = (options: Parameters<typeof list>[0]) => ({ statusLists: { [listUri]: list(options) } })
const revoked = withList({ revoked: [4711] })
const secondUri = `${issuer}/tokens/status-lists/2`

/** As the service issued them. */
const issued: Case[] = [
  ['a token', 'OK', {}],
  ['in the second before it expires', 'OK', { now: isoOf(expiresAt - 1) }],
  [
    'of a retired key that is still published',
    'OK',
    {
      token: jwt(retired, { ...claims, status: statusAt(4711, secondUri) }),
      statusLists: { [secondUri]: list({ sub: secondUri }) },
    },
  ],
  ['in the second of its expiry', 'TOKEN_EXPIRED', { now: isoOf(expiresAt) }],
  ['a year later', 'TOKEN_EXPIRED', { now: isoOf(issuedAt + 365 * 86_400) }],
  ['of a person under 18', 'UNDERAGE_OR_UNKNOWN', minor],
  ['revoked', 'TOKEN_REVOKED', revoked],
  ['revoked, of a person under 18', 'TOKEN_REVOKED', { ...minor, ...revoked }],
  ['revoked with all tokens of its list', 'TOKEN_REVOKED', withList({ revoked: 'all' })],
  ['revoked since the list was fetched, which is recognized online only', 'OK', { online: 'TOKEN_REVOKED' }],
  [
    'revoked and expired',
    'TOKEN_EXPIRED',
    {
      now: isoOf(expiresAt),
      ...withList({ revoked: [4711], at: isoOf(expiresAt) }),
      online: 'TOKEN_REVOKED',
    },
  ],
]

/** Never issued: signed by the service's key, whose `over18` is not `true` or `false`. */
const ageNotConfirmed: Case[] = [
  ['without over18', 'UNDERAGE_OR_UNKNOWN', withClaims({ over18: undefined })],
  ['over18 is the text "true"', 'UNDERAGE_OR_UNKNOWN', withClaims({ over18: 'true' })],
  ['over18 is 1', 'UNDERAGE_OR_UNKNOWN', withClaims({ over18: 1 })],
  ['over18 is null', 'UNDERAGE_OR_UNKNOWN', withClaims({ over18: null })],
]

const otherTenant = '01a1f8d0-0000-7f40-8a5b-6c7d8e9fa0bf'
const otherHost = statusAt(4711, 'https://other.example/tokens/status-lists/1')
const otherClaims: Case[] = [
  ['of another issuer', 'ISSUER_MISMATCH', withClaims({ iss: 'https://other.example' })],
  ['whose issuer has a slash at the end', 'ISSUER_MISMATCH', withClaims({ iss: `${issuer}/` })],
  ['of another tenant', 'AUDIENCE_MISMATCH', withClaims({ aud: otherTenant })],
  ['without an expiry', 'TOKEN_MALFORMED', withClaims({ exp: undefined })],
  ['whose expiry is a text', 'TOKEN_MALFORMED', withClaims({ exp: String(expiresAt) })],
  ['without a status', 'TOKEN_MALFORMED', withClaims({ status: undefined })],
  ['whose index is negative', 'TOKEN_MALFORMED', withClaims({ status: statusAt(-1) })],
  [
    'whose index is beyond the end of the list',
    'STATUS_LIST_UNUSABLE',
    withClaims({ status: statusAt(2 ** 17) }),
  ],
  ['whose status list is at another host', 'STATUS_LIST_UNUSABLE', withClaims({ status: otherHost })],
]

const [header, payload, signature] = token.split('.') as [string, string, string]
const [minorHeader, , minorSignature] = minor.token.split('.')
const unsigned = encoded({ alg: 'none', kid: active.publicJwk.kid, typ: 'JWT' })
const zeros = Buffer.alloc(64).toString('base64url')
const signed = (by: typeof active, changed: object) => ({ token: jwt(by, claims, changed) })
const named = { kid: active.publicJwk.kid }
const notSigned: Case[] = [
  ['unsigned, with the algorithm none', 'ALGORITHM_NOT_ALLOWED', { token: `${unsigned}.${payload}.` }],
  [
    'with the algorithm none and a signature',
    'ALGORITHM_NOT_ALLOWED',
    { token: `${unsigned}.${payload}.${signature}` },
  ],
  ['HS256 with the public key as PEM', 'ALGORITHM_NOT_ALLOWED', { token: hs256(publicPem) }],
  [
    'HS256 with the public key as JWK',
    'ALGORITHM_NOT_ALLOWED',
    { token: hs256(JSON.stringify(active.publicJwk)) },
  ],
  ['with an extension that is critical', 'ALGORITHM_NOT_ALLOWED', signed(active, { crit: ['exp'] })],
  ['a status list in place of a token', 'ALGORITHM_NOT_ALLOWED', { token: list() }],
  ['of a key that is not published', 'KEY_UNKNOWN', signed(foreign, {})],
  ['without a kid', 'KEY_UNKNOWN', signed(foreign, { kid: undefined })],
  ['with its own key in the header', 'KEY_UNKNOWN', signed(foreign, { jwk: foreign.publicJwk })],
  ['signed by another key than its kid names', 'SIGNATURE_INVALID', signed(foreign, named)],
  ['signed by another published key than its kid names', 'SIGNATURE_INVALID', signed(retired, named)],
  [
    'of a person under 18, changed to over 18',
    'SIGNATURE_INVALID',
    { token: `${minorHeader}.${payload}.${minorSignature}` },
  ],
  ['with the signature of zeros', 'SIGNATURE_INVALID', { token: `${header}.${payload}.${zeros}` }],
  ['without its signature', 'SIGNATURE_INVALID', { token: `${header}.${payload}.` }],
]

const malformed: Case[] = [
  ['nothing', 'TOKEN_MALFORMED', { token: '' }],
  ['a text', 'TOKEN_MALFORMED', { token: 'token' }],
  ['two parts', 'TOKEN_MALFORMED', { token: `${header}.${payload}` }],
  ['four parts', 'TOKEN_MALFORMED', { token: `${token}.` }],
  ['a header that is not JSON', 'TOKEN_MALFORMED', { token: `bm90IEpTT04.${payload}.AAAA` }],
  ['a header that is an array', 'TOKEN_MALFORMED', { token: `W10.${payload}.AAAA` }],
]

const [listHeader, , revokedSignature] = list({ revoked: [4711] }).split('.')
const [, notRevoked] = list().split('.')
const unsignedList = `${encoded({ alg: 'none', typ: 'statuslist+jwt' })}.${notRevoked}.`
const plainList = '{"status_list":{"bits":1,"lst":"eNpjAAAAAQAB"}}'
const listIs = (text: string) => ({ statusLists: { [listUri]: text } })

/** A token that was issued, whose list must not be used: it may be revoked. */
const listFaults = (
  [
    ['whose list is not available', { statusLists: {} }],
    ['whose list has expired', withList({ at: '2026-11-21T11:44:00Z' })],
    ['whose list is that of another address', withList({ sub: `${listUri}0` })],
    ['whose list is of another type', withList({ typ: 'JWT' })],
    ['whose list is signed by a key that is not published', withList({ key: foreign })],
    ['whose list was changed', listIs(`${listHeader}.${notRevoked}.${revokedSignature}`)],
    ['whose list is not signed', listIs(unsignedList)],
    ['whose list is not a JWT', listIs(plainList)],
    ['whose list is empty', withList({ bytes: 0 })],
    ['whose list is shorter than its index', withList({ bytes: 588 })],
  ] as const
).map(([name, given]): Case => [name, 'STATUS_LIST_UNUSABLE', given])
