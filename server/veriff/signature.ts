import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** One integration's keys: the API key names it, the shared secrets sign. */
export interface VeriffCredentials {
  apiKey: string
  /** At least one, newest first; several while a secret is being rotated. */
  sharedSecrets: readonly string[]
}

/** HMAC-SHA256 in lower-case hex, keyed with the secret's text as it stands (UTF-8, not hex-decoded). */
export function signature(payload: string | Buffer, sharedSecret: string): string {
  return hmac(payload, sharedSecret).toString('hex')
}

/**
 * Whether the headers prove that the bytes come from our integration at Veriff: a true signature, and our API key.
 * Two pairs of headers are in use, `x-` and `vrf-`: either will do, but where both are sent they must agree.
 * A repeated header proves nothing.
 */
export function isAuthentic(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  { apiKey, sharedSecrets }: VeriffCredentials,
): boolean {
  // The key is compared only once the secret is proven, so that timing tells a stranger nothing of it.
  return (
    isTrulySigned(headers, rawBody, sharedSecrets) &&
    unanimous(present(headers, 'x-auth-client', 'vrf-auth-client')) === apiKey
  )
}

/** Whether the headers carry a signature of the bytes that one of the secrets made, and no other. */
export function isTrulySigned(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  sharedSecrets: readonly string[],
): boolean {
  const claimed = unanimous(signaturesIn(headers).map(decodeSignature))
  if (claimed === undefined) return false
  const bytes = Buffer.from(claimed, 'hex')
  return sharedSecrets.some(secret => timingSafeEqual(hmac(rawBody, secret), bytes))
}

/** Whether the headers carry a signature at all, right or wrong. */
export function isSigned(headers: IncomingHttpHeaders): boolean {
  return signaturesIn(headers).length > 0
}

/** An empty key would let anyone sign, so it is a fault of the wiring. Throws a `TypeError`. */
export function assertCredentials({ apiKey, sharedSecrets }: VeriffCredentials): void {
  if (apiKey === '' || sharedSecrets.length === 0 || sharedSecrets.includes('')) {
    throw new TypeError('The Veriff integration needs an API key and at least one shared secret, none empty.')
  }
}

function hmac(payload: string | Buffer, sharedSecret: string): Buffer {
  return createHmac('sha256', sharedSecret).update(payload).digest()
}

function signaturesIn(headers: IncomingHttpHeaders): unknown[] {
  return present(headers, 'x-hmac-signature', 'vrf-hmac-signature')
}

function present(headers: IncomingHttpHeaders, ...names: string[]): unknown[] {
  return names.map(name => headers[name]).filter(value => value !== undefined)
}

/** Lower-case hex of 32 bytes, or undefined: a repeated header arrives as a list, or joined by commas. */
function decodeSignature(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined
}

/** What all of them say; undefined where there is none, or where they differ. */
function unanimous<T>(values: T[]): T | undefined {
  return values.every(value => value === values[0]) ? values[0] : undefined
}
