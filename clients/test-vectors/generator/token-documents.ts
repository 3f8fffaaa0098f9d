/** What the service publishes and issues in the vectors of tokens: keys, tokens and status lists. */
import { createHmac } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { keyOf, signatureOf, type VectorKey } from './es256.ts'

export const issuer = 'https://verify.example'
export const audience = '01a1f8d0-0000-7f40-8a5b-6c7d8e9fa0b0'
export const listUri = `${issuer}/tokens/status-lists/1`
export const issuedAt = secondsOf('2026-11-20T12:00:00Z')
export const now = '2026-11-21T12:00:00Z'
export const expiresAt = issuedAt + 30 * 86_400

export const active = keyOf('test vectors: the signing key')
export const retired = keyOf('test vectors: a retired signing key')
export const foreign = keyOf('test vectors: a key of somebody else')
export const jwks = { keys: [active.publicJwk, retired.publicJwk] }

export const claims = {
  over18: true,
  iss: issuer,
  sub: '01a1f8d1-2ae0-7f40-8a5b-6c7d8e9fa0b1',
  aud: audience,
  jti: '01a1f8d3-ea00-7f40-8a5b-6c7d8e9fa0b2',
  iat: issuedAt,
  exp: expiresAt,
  status: { status_list: { idx: 4711, uri: listUri } },
}
export const token = jwt(active, claims)

export function statusAt(idx: number, uri = listUri) {
  return { status_list: { idx, uri } }
}

export function listAt(uri: string, at = now): Record<string, string> {
  return { [uri]: list({ sub: uri, at }) }
}

export const listType = 'statuslist+jwt'

interface ListOptions {
  revoked?: number[] | 'all'
  /** The verifier's clock: the list is a minute old. */
  at?: string
  sub?: string
  key?: VectorKey
  header?: object
  /** The length of the list. */
  bytes?: number
}

/** A status list: some other tokens are revoked in it. */
export function list({
  revoked = [],
  at = now,
  sub = listUri,
  key = active,
  header,
  bytes = 2 ** 14,
}: ListOptions): string {
  const bits = Buffer.alloc(bytes, revoked === 'all' ? 0xff : 0)
  const others = [0, 4710, 4712, 131_071]
  for (const index of revoked === 'all' ? [] : [...others, ...revoked])
    if (index >> 3 < bytes) bits[index >> 3]! |= 1 << (index & 7)
  const iat = secondsOf(at) - 60
  const status_list = { bits: 1, lst: deflateSync(bits).toString('base64url') }
  return jwt(
    key,
    { iss: issuer, sub, iat, exp: iat + 900, ttl: 300, status_list },
    { typ: listType, ...header },
  )
}

export function jwt(key: VectorKey, payload: object, header: object = {}): string {
  const content = `${encoded({ alg: 'ES256', kid: key.kid, typ: 'JWT', ...header })}.${encoded(payload)}`
  return `${content}.${signatureOf(key, content)}`
}

export function hs256(header: object, secret: string): string {
  const content = `${encoded(header)}.${encoded(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

export function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function secondsOf(iso: string): number {
  return Date.parse(iso) / 1000
}

export function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
