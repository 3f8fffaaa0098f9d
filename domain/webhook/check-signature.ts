import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { TenantScope } from '../scope.ts'
import { openWebhookSecret, webhookSecrets } from '../settings/webhook-secrets.ts'
import { createdTooEarly } from './delivery.policy.ts'
import { signEvent } from './signature.policy.ts'

export const signatureFaults = [
  'signature_missing',
  'signature_repeated',
  'signature_malformed',
  'secret_missing',
  'body_altered',
  'body_malformed',
  'timestamp_too_old',
  'timestamp_in_future',
  'other_tenant',
  'secret_rotated',
  'signature_mismatch',
] as const
export type SignatureFault = (typeof signatureFaults)[number]

export interface SignatureCheck {
  /** Whether a receiver that verifies signature and age accepts the event. */
  valid: boolean
  /** Which secret has signed the body: the current one, or one that was rotated less than 24 hours ago. */
  secret: 'current' | 'previous' | null
  /** Why the event is not valid; null if it is. */
  reason: SignatureFault | null
  /** The verdict in a sentence. */
  message: string
}

export interface ReceivedEvent {
  /** The body of the request, as it was received. */
  body: string
  /** The headers of the request, one per line, or only the value of `X-Webhook-Signature`. */
  headers: string
}

/** How much the service's clock may be ahead of a receiver's. */
const clockSkewMsMax = 300_000

/** Says which of the tenant's secrets has signed an event, or why none fits. Never throws for what was received. */
export async function checkSignature(
  scope: TenantScope,
  { body, headers }: ReceivedEvent,
): Promise<SignatureCheck> {
  const { em, actor, cipher, now } = scope
  const signature = signatureIn(headers)
  if (typeof signature === 'string') return invalid(signature)
  const stored = await webhookSecrets(em, actor.tenantId, now)
  const oldest = stored.at(-1)
  if (!oldest) return invalid('secret_missing')
  const secrets = stored.map(secret => openWebhookSecret(cipher, secret))
  const signer = signerOf(body, signature, secrets)
  if (signer !== undefined) {
    const secret = signer === 0 ? 'current' : 'previous'
    const fault = faultOfAuthentic(body, now)
    if (fault) return { ...invalid(fault), secret }
    return { valid: true, secret, reason: null, message: signedBy[secret] }
  }
  if (variantsOf(body).some(variant => signerOf(variant, signature, secrets) !== undefined))
    return invalid('body_altered')
  const event = eventIn(body)
  if (event && event.tenantId !== actor.tenantId) return invalid('other_tenant')
  if (event && event.timestamp < oldest.createdAt) return invalid('secret_rotated')
  return invalid('signature_mismatch')
}

/** The bytes of the signature, or what is wrong with it. */
function signatureIn(headers: string): Buffer | SignatureFault {
  const named = [...headers.matchAll(/x-webhook-signature["']?\s*[:=]\s*["']?([^\s"',]*)/gi)]
  const alone = /^\S+$/.test(headers.trim()) ? [headers.trim()] : []
  const values = named.length > 0 ? named.map(([, value]) => value!) : alone
  const [value] = values
  if (!value) return 'signature_missing'
  if (values.length > 1) return 'signature_repeated'
  return /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : 'signature_malformed'
}

/** The index of the secret that signed the body. Takes as long whichever it is. */
function signerOf(body: string, signature: Buffer, secrets: readonly string[]): number | undefined {
  const fits = secrets.map(secret => timingSafeEqual(Buffer.from(signEvent(body, secret), 'hex'), signature))
  const index = fits.indexOf(true)
  return index === -1 ? undefined : index
}

/** What the body may have been before a program or an editor changed it. */
function variantsOf(body: string): string[] {
  const trimmed = body.trim()
  return [...new Set([trimmed, ...reserialised(body)])].filter(variant => variant !== body)
}

/** Nothing for a body that is not JSON, or that is nested more deeply than `JSON.stringify` can follow. */
function reserialised(body: string): string[] {
  const value = parsed(body)
  if (value === undefined) return []
  try {
    return [JSON.stringify(value)]
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

function faultOfAuthentic(body: string, now: Date): SignatureFault | undefined {
  const event = eventIn(body)
  if (!event) return 'body_malformed'
  if (event.timestamp <= createdTooEarly(now)) return 'timestamp_too_old'
  return event.timestamp.getTime() > now.getTime() + clockSkewMsMax ? 'timestamp_in_future' : undefined
}

const receivedEvent = z.object({
  event: z.string(),
  tenantId: z.string(),
  timestamp: z.iso.datetime({ offset: true }).transform(text => new Date(text)),
})

function eventIn(body: string): z.output<typeof receivedEvent> | undefined {
  return receivedEvent.safeParse(parsed(body)).data
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function invalid(reason: SignatureFault): SignatureCheck {
  return { valid: false, secret: null, reason, message: messages[reason] }
}

const signedBy = {
  current: 'The signature is valid: the current secret signed this body.',
  previous:
    'The signature is valid: a secret that was rotated less than 24 hours ago signed this body. Until then receivers must accept both.',
}

const messages: Record<SignatureFault, string> = {
  signature_missing: 'There is no X-Webhook-Signature among the headers.',
  signature_repeated: 'X-Webhook-Signature is there more than once. The service sends it once.',
  signature_malformed: 'The signature is not 64 hexadecimal digits, so it was not sent by this service.',
  secret_missing: 'Your tenant has no webhook secret yet. Set a webhook URL first.',
  body_altered:
    'The signature fits the compact form of this body, so the body was changed after it was received. Verify the raw bytes, before any JSON parser.',
  body_malformed: 'The signature fits, but the body is not an event of this service.',
  timestamp_too_old:
    'The signature fits, but the event is more than 24 hours old. Receivers that check its age reject it.',
  timestamp_in_future:
    'The signature fits, but the event is dated in the future. Receivers that check its age reject it.',
  other_tenant: 'The event is of another tenant, which has secrets of its own.',
  secret_rotated:
    'No current secret signed this body. The event is older than all of them, so it may have been signed by one that was rotated since.',
  signature_mismatch:
    'None of your secrets signed this body. Check that body and signature are of the same request, and that the body is complete.',
}
