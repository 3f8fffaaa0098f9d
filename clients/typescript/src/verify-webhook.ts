import type { VerificationCompletedEvent } from './api-types.ts'
import { WebhookVerificationError } from './errors.ts'
import { decodeUtf8, isRecord, parseJson } from './json.ts'
import { assertText } from './options.ts'

/** The headers of a request, as `Headers` or as Node and its frameworks have them. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookOptions {
  /** The greatest age of an event, retries included. 86,400 by default: the service delivers for 24 hours. */
  toleranceSeconds?: number | undefined
  now?: Date | undefined
}

/** Bytes that Web Crypto accepts: not of a `SharedArrayBuffer`. */
type Bytes = Uint8Array<ArrayBuffer>

/**
 * Returns the event of a webhook request, or throws a `WebhookVerificationError` if it is not authentic and recent.
 * `rawBody` must be the bytes that were received: an object that a body parser made can't be verified. Pass the new and
 * the old secret for 24 hours after a rotation. Throws a `TypeError` without a secret.
 *
 * `data.status` is `approved` for minors, too. Admit a user on `over18` of the status, never on `approved`. Types of
 * events may be added: ignore those whose `event` you don't know.
 */
export async function verifyWebhook(
  rawBody: string | ArrayBuffer | ArrayBufferView | null | undefined,
  headers: WebhookHeaders,
  secrets: string | readonly (string | undefined)[],
  { toleranceSeconds = 86_400, now = new Date() }: VerifyWebhookOptions = {},
): Promise<VerificationCompletedEvent> {
  const body = bytesOf(rawBody)
  const keys = usableSecrets(secrets)
  assertComparable('toleranceSeconds', toleranceSeconds)
  assertComparable('now.getTime()', now.getTime())
  const signature = signatureIn(headers)
  if (!(await isSigned(body, signature, keys))) throw new WebhookVerificationError('signature_mismatch')
  const event = parseJson(decodeUtf8(body) ?? '')
  const sentAt = isEvent(event) ? timeOf(event.timestamp) : undefined
  if (!isEvent(event) || sentAt === undefined) throw new WebhookVerificationError('body_malformed')
  if ((now.getTime() - sentAt) / 1000 > toleranceSeconds)
    throw new WebhookVerificationError('timestamp_too_old')
  return event
}

/** Frameworks have no body, or an empty object, instead of an empty body, where nothing was sent. */
function bytesOf(rawBody: unknown): Bytes {
  if (typeof rawBody === 'string' || rawBody == null) return new TextEncoder().encode(rawBody ?? '')
  // Not by `instanceof`, which doesn't know what is of another realm, such as that of a test's sandbox.
  const kind = Object.prototype.toString.call(rawBody)
  if (kind === '[object ArrayBuffer]') return new Uint8Array(rawBody as ArrayBuffer)
  if (kind === '[object Object]' && Object.keys(rawBody).length === 0) return new Uint8Array()
  if (!ArrayBuffer.isView(rawBody)) {
    throw new TypeError('rawBody must be the raw bytes of the request, not what a body parser made of them')
  }
  return Uint8Array.from(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength))
}

function usableSecrets(secrets: string | readonly (string | undefined)[]): string[] {
  const usable = (typeof secrets === 'string' ? [secrets] : (secrets ?? [])).filter(secret => secret != null)
  for (const secret of usable.length > 0 ? usable : ['']) assertText('a webhook secret', secret)
  return usable
}

/** Everything is younger than NaN. */
function assertComparable(option: string, value: number): void {
  if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError(`${option} is not a number`)
}

const signatureHeader = 'x-webhook-signature'

function signatureIn(headers: WebhookHeaders): Bytes {
  const given = headers ?? {} // as some gateways have it where there are none
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given)
  const found = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === signatureHeader ? (value ?? []) : [],
  )
  const signatures = found.map(String)
  if (signatures.length === 0) throw new WebhookVerificationError('signature_missing')
  if (signatures.length > 1 || !/^[0-9a-f]{64}$/i.test(signatures[0]!))
    throw new WebhookVerificationError('signature_malformed')
  return Uint8Array.from(signatures[0]!.match(/../g)!, digits => Number.parseInt(digits, 16))
}

/** Web Crypto compares in constant time. */
async function isSigned(body: Bytes, signature: Bytes, secrets: readonly string[]): Promise<boolean> {
  for (const secret of secrets) {
    const key = await signatureKey(secret, 'verify')
    if (await crypto.subtle.verify('HMAC', key, signature, body)) return true
  }
  return false
}

/** The key of HMAC-SHA256, which is the whole secret in UTF-8. */
export function signatureKey(secret: string, usage: 'sign' | 'verify') {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

/** Whether it has the fields of an event. Fields, and types of events with other data, may be added within v1. */
function isEvent(value: unknown): value is VerificationCompletedEvent {
  if (!isRecord(value) || !isRecord(value.data)) return false
  const { event, tenantId, data, timestamp } = value
  const texts = [event, tenantId, timestamp]
  if (event === 'verification.completed') texts.push(data.verificationId, data.status)
  return texts.every(text => typeof text === 'string')
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** In milliseconds since the epoch; undefined if it is no ISO 8601 time. */
function timeOf(timestamp: string): number | undefined {
  const time = isoTime.test(timestamp) ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
