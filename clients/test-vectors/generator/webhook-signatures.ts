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
  /** Signs the body. */
  secret?: string
  /** Replaces the signature. */
  signatures?: string[]
  /** Replaces the header of the signature. */
  headers?: [name: string, value: string][]
  secrets?: string[]
  now?: string
  toleranceSeconds?: number
}

type Case = [name: string, reason: WebhookReason, request: Request]

export function webhookVectors(): WebhookVector[] {
  return [...authentic, ...otherSecrets, ...otherBytes, ...otherHeaders, ...otherTimes, ...otherBodies].map(
    vector,
  )
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
const bodyWith = (changed: object) => ({ body: JSON.stringify({ ...event, ...changed }) })

const sign = (body: string | Buffer, secret: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex')
const signature = sign(asSent, newest)

function vector([name, reason, request]: Case): WebhookVector {
  const { body = asSent, secret = newest, secrets = [newest] } = request
  const { now = '2026-01-31T12:00:01.000Z', toleranceSeconds = 86_400 } = request
  const bytes = Buffer.from(body)
  const isText = Buffer.from(bytes.toString()).equals(bytes)
  const signatures = request.signatures ?? [sign(bytes, secret)]
  return {
    name,
    secrets,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Webhook-Event', 'verification.completed'],
      ...(request.headers ?? signatures.map((each): [string, string] => [header, each])),
    ],
    body: bytes.toString('base64'),
    bodyText: isText ? bytes.toString() : null,
    now,
    toleranceSeconds,
    verdict: reason === 'ok' ? 'valid' : 'invalid',
    reason,
  }
}

const both = [newest, previous]
const unicodeSecret = 'geheim-schlüssel-🔑'
const authentic: Case[] = [
  ['an event as it is sent', 'ok', {}],
  ['rotation: signed with the new secret, of two', 'ok', { secrets: both }],
  ['rotation: signed with the previous secret, of two', 'ok', { secrets: both, secret: previous }],
  ['rotation: the receiver has the previous secret only', 'ok', { secrets: [previous], secret: previous }],
  ['a secret with characters outside of ASCII', 'ok', { secrets: [unicodeSecret], secret: unicodeSecret }],
]

const prefixed = 'whsec_'.length
const encodedBytes = Buffer.from(newest.slice(prefixed), 'base64url')
const plainHash = createHash('sha256').update(asSent).digest('hex')
const otherSecrets: Case[] = [
  ['signed with another secret', 'signature_mismatch', { secret: unknown }],
  ['signed with a secret whose rotation is over', 'signature_mismatch', { secret: unknown, secrets: both }],
  ['keyed with the secret without its prefix', 'signature_mismatch', { secret: newest.slice(prefixed) }],
  [
    'keyed with the bytes that the secret encodes',
    'signature_mismatch',
    { signatures: [sign(asSent, encodedBytes)] },
  ],
  ['a plain SHA-256 instead of an HMAC', 'signature_mismatch', { signatures: [plainHash] }],
]

const denied = bodyWith({ data: { ...event.data, status: 'denied' } }).body
const spaced = JSON.stringify(event, null, 2)
const reordered = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()))
const escaped = asSent.replace('approved', '\\u0061pproved').replace('veriff', '\\u0076eriff')
const numbers = asSent.replace('0.97', '9.70e-1')
const unicode = JSON.stringify({ ...event, note: 'Zoë Ångström 日本 🙂 \u2028' })
const parsed = (body: string) => JSON.stringify(JSON.parse(body))
const altered = (name: string, body: string, original = asSent): Case => [
  name,
  'signature_mismatch',
  { body, signatures: [sign(original, newest)] },
]

/** Bodies that parsing and serialising again would change, each with its authentic signature and with the body changed. */
const otherBytes: Case[] = [
  altered('the status of the body was changed', denied),
  altered('a line feed was added to the body', `${asSent}\n`),
  ['a body with spaces and line feeds', 'ok', { body: spaced }],
  altered('its spaces are removed by serialising again', asSent, spaced),
  ['a body with its fields in another order', 'ok', { body: reordered }],
  altered('its order is changed by serialising again', asSent, reordered),
  ['a body with escaped characters', 'ok', { body: escaped }],
  altered('its escapes are removed by serialising again', parsed(escaped), escaped),
  ['a body with a number in another format', 'ok', { body: numbers }],
  altered('its number is changed by serialising again', parsed(numbers), numbers),
  ['a body with characters outside of ASCII', 'ok', { body: unicode }],
  altered('they are escaped by serialising again', unicode.replace('ë', '\\u00eb'), unicode),
  altered('they are decomposed (Unicode NFD)', unicode.normalize('NFD'), unicode),
]

const malformed = (name: string, ...signatures: string[]): Case => [
  name,
  'signature_malformed',
  { signatures },
]
const otherHeaders: Case[] = [
  ['the name of the header in lower case', 'ok', { headers: [[header.toLowerCase(), signature]] }],
  ['the name of the header in upper case', 'ok', { headers: [[header.toUpperCase(), signature]] }],
  ['a signature in upper-case hex', 'ok', { signatures: [signature.toUpperCase()] }],
  ['no signature', 'signature_missing', { signatures: [] }],
  [
    'the signature in a header with another name',
    'signature_missing',
    { headers: [['X-Loom-Signature', signature]] },
  ],
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

const at = (now: string, toleranceSeconds = 86_400) => ({ now, toleranceSeconds })
const sentAt = (timestamp: unknown) => bodyWith({ timestamp })
const otherTimes: Case[] = [
  ['an event as old as the tolerance', 'ok', at('2026-02-01T12:00:00.000Z')],
  ['an event older than the tolerance', 'timestamp_too_old', at('2026-02-01T12:00:00.001Z')],
  [
    'an event that was recorded and sent again days later',
    'timestamp_too_old',
    at('2026-02-03T09:30:00.000Z'),
  ],
  [
    'an event older than a tolerance of the receiver',
    'timestamp_too_old',
    at('2026-01-31T12:10:00.000Z', 300),
  ],
  ['a timestamp 5 minutes in the future, as clocks differ', 'ok', at('2026-01-31T11:55:00.000Z')],
  ['a timestamp more than 5 minutes in the future', 'timestamp_in_future', at('2026-01-31T11:54:59.999Z')],
  ['a timestamp with an offset', 'ok', sentAt('2026-01-31T13:00:00.000+01:00')],
  ['a timestamp that is no ISO 8601 time', 'body_malformed', sentAt('Sat, 31 Jan 2026 12:00:00 GMT')],
  ['a timestamp without a time zone', 'body_malformed', sentAt('2026-01-31T12:00:00.000')],
  ['a timestamp on a day that does not exist', 'body_malformed', sentAt('2026-01-32T12:00:00.000Z')],
  ['a timestamp that is a number', 'body_malformed', sentAt(1_769_860_800)],
]

const otherType = { event: 'tenant.updated', data: { plan: 'large' } }
const notUtf8 = Buffer.from(`{"note":"\xff\xfe",${asSent.slice(1)}`, 'latin1')

/** Signed bodies: what is wrong with them is not the signature. */
const otherBodies: Case[] = [
  ['fields that this version does not have', 'ok', bodyWith({ apiVersion: 2 })],
  ['an event of a type that this version does not have, with other data', 'ok', bodyWith(otherType)],
  ['an empty body', 'body_malformed', { body: '' }],
  ['a body that is not JSON', 'body_malformed', { body: 'event=verification.completed' }],
  ['a body that is not an object', 'body_malformed', { body: `[${asSent}]` }],
  ['a completed verification without its id', 'body_malformed', bodyWith({ data: { status: 'approved' } })],
  ['an event without data', 'body_malformed', bodyWith({ data: undefined })],
  ['a body that begins with a byte order mark', 'body_malformed', { body: `\ufeff${asSent}` }],
  ['a body that is not UTF-8', 'body_malformed', { body: notUtf8 }],
]
