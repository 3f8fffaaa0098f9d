import { createHash, createHmac } from 'node:crypto'

export type WebhookReason =
  | 'ok'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'body_malformed'
  | 'timestamp_too_old'
  | 'timestamp_in_future'

export interface WebhookVector {
  name: string
  /** Those that the receiver accepts, the newest first. */
  secrets: string[]
  /** As sent, in this order. */
  headers: [name: string, value: string][]
  /** The exact bytes of the body, in base64. */
  body: string
  /** The same as text, for reading; null if it is not UTF-8. */
  bodyText: string | null
  /** The receiver's clock. */
  now: string
  toleranceSeconds: number
  verdict: 'valid' | 'invalid'
  reason: WebhookReason
}

interface Request {
  body?: string | Buffer
  /** Signs the body; null signs nothing. */
  secret?: string
  /** Replaces the signature. */
  headers?: [name: string, value: string][]
  secrets?: string[]
  now?: string
  toleranceSeconds?: number
}

const header = 'X-Webhook-Signature'
const secretOf = (label: string): string => `whsec_${createHash('sha256').update(label).digest('base64url')}`
const newest = secretOf('test vectors: the newest secret')
const previous = secretOf('test vectors: the previous secret')
const unknown = secretOf('test vectors: a secret that the receiver does not have')

const event = {
  event: 'verification.completed',
  tenantId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0',
  data: {
    verificationId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1',
    status: 'approved',
    confidence: 0.97,
    provider: 'veriff',
  },
  timestamp: '2026-01-31T12:00:00.000Z',
}
const asSent = JSON.stringify(event)

const sign = (body: string | Buffer, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

function vector(name: string, reason: WebhookReason, request: Request = {}): WebhookVector {
  const { body = asSent, secret = newest, secrets = [newest] } = request
  const { now = '2026-01-31T12:00:01.000Z', toleranceSeconds = 86_400 } = request
  const bytes = Buffer.from(body)
  const isText = Buffer.from(bytes.toString()).equals(bytes)
  return {
    name,
    secrets,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Webhook-Event', 'verification.completed'],
      ...(request.headers ?? ([[header, sign(bytes, secret)]] as [string, string][])),
    ],
    body: bytes.toString('base64'),
    bodyText: isText ? bytes.toString() : null,
    now,
    toleranceSeconds,
    verdict: reason === 'ok' ? 'valid' : 'invalid',
    reason,
  }
}

export function webhookVectors(): WebhookVector[] {
  return [
    ...authentic(),
    ...otherSecrets(),
    ...otherBytes(),
    ...otherHeaders(),
    ...otherTimes(),
    ...otherBodies(),
  ]
}

function authentic(): WebhookVector[] {
  const both = [newest, previous]
  return [
    vector('an event as it is sent', 'ok'),
    vector('rotation: signed with the new secret, of two', 'ok', { secrets: both }),
    vector('rotation: signed with the previous secret, of two', 'ok', { secrets: both, secret: previous }),
    vector('rotation: the receiver has the previous secret only', 'ok', {
      secrets: [previous],
      secret: previous,
    }),
    vector('a secret with characters outside of ASCII', 'ok', {
      secrets: ['geheim-schlüssel-🔑'],
      secret: 'geheim-schlüssel-🔑',
    }),
  ]
}

function otherSecrets(): WebhookVector[] {
  const mismatch = 'signature_mismatch'
  return [
    vector('signed with another secret', mismatch, { secret: unknown }),
    vector('signed with a secret whose rotation is over', mismatch, {
      secret: unknown,
      secrets: [newest, previous],
    }),
    vector('keyed with the secret without its prefix', mismatch, { secret: newest.slice('whsec_'.length) }),
    vector('keyed with the bytes that the secret encodes', mismatch, {
      headers: [
        [
          header,
          createHmac('sha256', Buffer.from(newest.slice(6), 'base64url'))
            .update(asSent)
            .digest('hex'),
        ],
      ],
    }),
    vector('a plain SHA-256 instead of an HMAC', mismatch, {
      headers: [[header, createHash('sha256').update(asSent).digest('hex')]],
    }),
  ]
}

/** Bodies that parsing and serialising again would change, each with its authentic signature and with the body changed. */
function otherBytes(): WebhookVector[] {
  const altered = (name: string, body: string, original = asSent) =>
    vector(name, 'signature_mismatch', { body, headers: [[header, sign(original, newest)]] })
  const spaced = JSON.stringify(event, null, 2)
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()))
  const escaped = asSent.replace('approved', '\\u0061pproved').replace('veriff', '\\u0076eriff')
  const numbers = asSent.replace('0.97', '9.70e-1')
  const unicode = JSON.stringify({ ...event, note: 'Zoë Ångström 日本 🙂 \u2028' })
  return [
    altered(
      'the status of the body was changed',
      JSON.stringify({ ...event, data: { ...event.data, status: 'denied' } }),
    ),
    altered('a line feed was added to the body', `${asSent}\n`),
    vector('a body with spaces and line feeds', 'ok', { body: spaced }),
    altered('its spaces are removed by serialising again', asSent, spaced),
    vector('a body with its fields in another order', 'ok', { body: reordered }),
    altered('its order is changed by serialising again', asSent, reordered),
    vector('a body with escaped characters', 'ok', { body: escaped }),
    altered('its escapes are removed by serialising again', JSON.stringify(JSON.parse(escaped)), escaped),
    vector('a body with a number in another format', 'ok', { body: numbers }),
    altered('its number is changed by serialising again', JSON.stringify(JSON.parse(numbers)), numbers),
    vector('a body with characters outside of ASCII', 'ok', { body: unicode }),
    altered('they are escaped by serialising again', unicode.replace('ë', '\\u00eb'), unicode),
    altered('they are decomposed (Unicode NFD)', unicode.normalize('NFD'), unicode),
  ]
}

function otherHeaders(): WebhookVector[] {
  const signature = sign(asSent, newest)
  const named = (name: string, headers: [string, string][]) => vector(name, 'ok', { headers })
  const malformed = (name: string, ...values: string[]) =>
    vector(name, 'signature_malformed', { headers: values.map(value => [header, value]) })
  return [
    named('the name of the header in lower case', [[header.toLowerCase(), signature]]),
    named('the name of the header in upper case', [[header.toUpperCase(), signature]]),
    named('a signature in upper-case hex', [[header, signature.toUpperCase()]]),
    vector('no signature', 'signature_missing', { headers: [] }),
    vector('the signature in a header with another name', 'signature_missing', {
      headers: [['X-Loom-Signature', signature]],
    }),
    malformed('an empty signature', ''),
    malformed('a character that is no hexadecimal digit', `g${signature.slice(1)}`),
    malformed('a signature that is cut short', signature.slice(0, -2)),
    malformed('an odd number of digits', signature.slice(0, -1)),
    malformed('a signature that is too long', `${signature}00`),
    malformed('a space in the signature', `${signature.slice(0, 32)} ${signature.slice(32)}`),
    malformed('a signature in base64', Buffer.from(signature, 'hex').toString('base64')),
    malformed('a signature with a prefix', `sha256=${signature}`),
    malformed('a letter outside of ASCII', `é${signature.slice(1)}`),
    malformed('a digit outside of ASCII', `１${signature.slice(1)}`),
    malformed('the header is repeated', signature, signature),
    malformed('the header is repeated, with another value', signature, '0'.repeat(64)),
    malformed('repeated headers, joined by a server', `${signature}, ${signature}`),
  ]
}

function otherTimes(): WebhookVector[] {
  const at = (name: string, reason: WebhookReason, now: string, toleranceSeconds = 86_400) =>
    vector(name, reason, { now, toleranceSeconds })
  const timestamp = (value: unknown) => JSON.stringify({ ...event, timestamp: value })
  return [
    at('an event as old as the tolerance', 'ok', '2026-02-01T12:00:00.000Z'),
    at('an event older than the tolerance', 'timestamp_too_old', '2026-02-01T12:00:00.001Z'),
    at(
      'an event that was recorded and sent again days later',
      'timestamp_too_old',
      '2026-02-03T09:30:00.000Z',
    ),
    at(
      'an event older than a tolerance of the receiver',
      'timestamp_too_old',
      '2026-01-31T12:10:00.000Z',
      300,
    ),
    at('a timestamp 5 minutes in the future, as clocks differ', 'ok', '2026-01-31T11:55:00.000Z'),
    at('a timestamp more than 5 minutes in the future', 'timestamp_in_future', '2026-01-31T11:54:59.999Z'),
    vector('a timestamp with an offset', 'ok', { body: timestamp('2026-01-31T13:00:00.000+01:00') }),
    vector('a timestamp that is no ISO 8601 time', 'body_malformed', {
      body: timestamp('Sat, 31 Jan 2026 12:00:00 GMT'),
    }),
    vector('a timestamp without a time zone', 'body_malformed', {
      body: timestamp('2026-01-31T12:00:00.000'),
    }),
    vector('a timestamp on a day that does not exist', 'body_malformed', {
      body: timestamp('2026-01-32T12:00:00.000Z'),
    }),
    vector('a timestamp that is a number', 'body_malformed', { body: timestamp(1_769_860_800) }),
  ]
}

/** Signed bodies: what is wrong with them is not the signature. */
function otherBodies(): WebhookVector[] {
  const { data: _data, ...withoutData } = event
  return [
    vector('fields that this version does not have', 'ok', {
      body: JSON.stringify({ ...event, apiVersion: 2 }),
    }),
    vector('an event of a type that this version does not have, with other data', 'ok', {
      body: JSON.stringify({ ...event, event: 'tenant.updated', data: { plan: 'large' } }),
    }),
    vector('an empty body', 'body_malformed', { body: '' }),
    vector('a body that is not JSON', 'body_malformed', { body: 'event=verification.completed' }),
    vector('a body that is not an object', 'body_malformed', { body: `[${asSent}]` }),
    vector('a completed verification without its id', 'body_malformed', {
      body: JSON.stringify({ ...event, data: { status: 'approved' } }),
    }),
    vector('an event without data', 'body_malformed', { body: JSON.stringify(withoutData) }),
    vector('a body that begins with a byte order mark', 'body_malformed', { body: `\ufeff${asSent}` }),
    vector('a body that is not UTF-8', 'body_malformed', {
      body: Buffer.concat([
        Buffer.from('{"note":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`",${asSent.slice(1)}`),
      ]),
    }),
  ]
}
