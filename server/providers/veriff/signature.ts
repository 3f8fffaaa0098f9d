import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The credentials of one integration. */
export interface VeriffCredentials {
  apiKey: string
  /** At least one, newest first; several during a rotation. */
  sharedSecrets: readonly string[]
}

/** HMAC-SHA256 in lower-case hex, keyed with the UTF-8 bytes of the secret's text (which isn't hex-decoded). */
export function signature(payload: string | Buffer, sharedSecret: string): string {
  return hmac(payload, sharedSecret).toString('hex')
}

/**
 * Whether the headers prove that our integration at Veriff sent the bytes: a valid signature, and our API key.
 * Veriff uses two pairs of headers, `x-` and `vrf-`. Either is enough; if both are present, they must agree.
 * A repeated header is invalid.
 */
export function isAuthentic(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  { apiKey, sharedSecrets }: VeriffCredentials,
): boolean {
  return hasValidSignature(headers, rawBody, sharedSecrets) && namesClient(headers, apiKey)
}

/** Whether the headers name our integration and have a well-formed signature, valid or not. */
export function hasCredentials(headers: IncomingHttpHeaders, { apiKey }: VeriffCredentials): boolean {
  return claimedSignature(headers) !== undefined && namesClient(headers, apiKey)
}

/** Whether every signature in the headers is one of the bytes with one of the secrets, and there is one. */
export function hasValidSignature(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  sharedSecrets: readonly string[],
): boolean {
  const claimed = claimedSignature(headers)
  if (claimed === undefined) return false
  const bytes = Buffer.from(claimed, 'hex')
  return sharedSecrets.some(secret => timingSafeEqual(hmac(rawBody, secret), bytes))
}

/** Whether the headers have a signature, valid or not. */
export function isSigned(headers: IncomingHttpHeaders): boolean {
  return signaturesIn(headers).length > 0
}

/** Throws a `TypeError` for a missing or empty key or secret: with an empty secret, anyone could sign. */
export function assertCredentials({ apiKey, sharedSecrets }: VeriffCredentials): void {
  if (apiKey === '' || sharedSecrets.length === 0 || sharedSecrets.includes('')) {
    throw new TypeError('The Veriff integration needs an API key and at least one shared secret, none empty.')
  }
}

function hmac(payload: string | Buffer, sharedSecret: string): Buffer {
  return createHmac('sha256', sharedSecret).update(payload).digest()
}

/**
 * API keys are UUIDs, which are compared without case. Compares digests in constant time, so that timing reveals nothing about
 * the key.
 */
function namesClient(headers: IncomingHttpHeaders, apiKey: string): boolean {
  const claimed = unanimous(presentValues(headers, 'x-auth-client', 'vrf-auth-client').map(toLowerCase))
  return typeof claimed === 'string' && timingSafeEqual(digest(claimed), digest(apiKey.toLowerCase()))
}

const digest = (key: string) => hash('sha256', key, 'buffer')

function claimedSignature(headers: IncomingHttpHeaders): string | undefined {
  return unanimous(signaturesIn(headers).map(decodeSignature))
}

function signaturesIn(headers: IncomingHttpHeaders): unknown[] {
  return presentValues(headers, 'x-hmac-signature', 'vrf-hmac-signature')
}

function presentValues(headers: IncomingHttpHeaders, ...names: string[]): unknown[] {
  return names.map(name => headers[name]).filter(value => value !== undefined)
}

/** Lower-case hex of 32 bytes, or undefined: a repeated header arrives as a list, or joined by commas. */
function decodeSignature(value: unknown): string | undefined {
  const text = toLowerCase(value)
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? text : undefined
}

function toLowerCase(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined
}

/** The common value; undefined when there is none, or when they differ. */
function unanimous<T>(values: T[]): T | undefined {
  return values.every(value => value === values[0]) ? values[0] : undefined
}
