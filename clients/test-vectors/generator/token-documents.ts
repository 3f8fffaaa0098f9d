/** What the service publishes and issues in the vectors of tokens: keys, tokens and status lists. */
import { createECDH, createHmac, createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { calculateJwkThumbprint } from 'jose'

export const issuer = 'https://verify.example'
export const audience = '01a1f8d0-0000-7f40-8a5b-6c7d8e9fa0b0'
export const listUri = `${issuer}/tokens/status-lists/1`
export const issuedAt = secondsOf('2026-11-20T12:00:00Z')
export const now = '2026-11-21T12:00:00Z'
export const expiresAt = issuedAt + 30 * 86_400

interface VectorKey {
  publicJwk: { kty: string; crv: string; x: string; y: string; kid: string; use: string; alg: string }
  /** The private part. It is as public as the vectors. */
  d: string
}

async function keyOf(d: string): Promise<VectorKey> {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d, 'base64url')
  const point = curve.getPublicKey()
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const key = { kty: 'EC', crv: 'P-256', x, y }
  return { publicJwk: { ...key, kid: await calculateJwkThumbprint(key), use: 'sig', alg: 'ES256' }, d }
}

export const active = await keyOf('-dj9E3S41gSGI4d_kQGiA19DLc14B8ILoMIrhGR1en8')
export const retired = await keyOf('-0AGhZTYZb6N9TZVs_RAUqBYTO9anXfK34g-rzjJj1Y')
export const foreign = await keyOf('_-KbdydQSGWajXXIlgFcFyOX_0gpw0tKwmTqm8aMQqI')
export const jwks = { keys: [active.publicJwk, retired.publicJwk] }

/** As PEM: what a library may take for the secret of an HMAC. */
export const publicPem = createPublicKey({ key: active.publicJwk, format: 'jwk' })
  .export({ type: 'spki', format: 'pem' })
  .toString()

/** ES256 signatures are random: those that the file has already are kept, so that it stays the same. */
const written = readFileSync(new URL('../tokens.json', import.meta.url), 'utf8')
const known = Map.groupBy(written.matchAll(/"([\w-]+\.[\w-]+)\.([\w-]{86})"/g), ([, content]) => content)

export const claims = {
  over18: true,
  iss: issuer,
  sub: '01a1f8d1-2ae0-7f40-8a5b-6c7d8e9fa0b1',
  aud: audience,
  jti: '01a1f8d3-ea00-7f40-8a5b-6c7d8e9fa0b2',
  iat: issuedAt,
  exp: expiresAt,
  status: statusAt(4711),
}
export const token = jwt(active, claims)

export function statusAt(idx: number, uri = listUri) {
  return { status_list: { idx, uri } }
}

interface ListOptions {
  revoked?: number[] | 'all'
  /** The verifier's clock: the list is a minute old. */
  at?: string | undefined
  sub?: string
  key?: VectorKey
  typ?: string
  /** The length of the list. */
  bytes?: number
}

/** A status list: some other tokens are revoked in it. */
export function list(options: ListOptions = {}): string {
  const {
    revoked = [],
    at = now,
    sub = listUri,
    key = active,
    typ = 'statuslist+jwt',
    bytes = 2 ** 14,
  } = options
  const bits = Buffer.alloc(bytes, revoked === 'all' ? 0xff : 0)
  const others = [0, 4710, 4712, 131_071]
  for (const index of revoked === 'all' ? [] : [...others, ...revoked])
    if (index >> 3 < bytes) bits[index >> 3]! |= 1 << (index & 7)
  const iat = secondsOf(at) - 60
  const status_list = { bits: 1, lst: deflateSync(bits).toString('base64url') }
  return jwt(key, { iss: issuer, sub, iat, exp: iat + 900, ttl: 300, status_list }, { typ })
}

/** Not by a library: none signs a header that no verifier may accept. */
export function jwt({ publicJwk, d }: VectorKey, payload: object, header: object = {}): string {
  const content = `${encoded({ alg: 'ES256', kid: publicJwk.kid, typ: 'JWT', ...header })}.${encoded(payload)}`
  const [bytes, format] = [Buffer.from(content), { format: 'jwk', dsaEncoding: 'ieee-p1363' } as const]
  const kept = known
    .get(content)
    ?.map(([, , signature]) => signature!)
    .find(each => verify('sha256', bytes, { key: publicJwk, ...format }, Buffer.from(each, 'base64url')))
  return `${content}.${kept ?? sign('sha256', bytes, { key: { ...publicJwk, d }, ...format }).toString('base64url')}`
}

export function hs256(secret: string): string {
  const content = `${encoded({ alg: 'HS256', kid: active.publicJwk.kid, typ: 'JWT' })}.${encoded(claims)}`
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
