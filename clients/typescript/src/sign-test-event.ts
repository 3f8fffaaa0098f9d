import type { VerificationCompletedEvent } from './api-types.ts'
import { assertText } from './options.ts'
import { signatureKey } from './verify-webhook.ts'

/** What a test says about an event; the rest is that of an approved verification, now. */
export interface TestEvent extends Partial<VerificationCompletedEvent['data']> {
  tenantId?: string
  timestamp?: Date
  /** Another type than `verification.completed`, which your receiver has to ignore. */
  event?: string
}

/** A request with an event, as the service sends it. */
export interface TestRequest {
  method: 'POST'
  headers: Record<string, string>
  body: string
}

/** Signs an event with your secret, to test your receiver: `await fetch(url, await signTestEvent(secret))`. */
export async function signTestEvent(secret: string, fields: TestEvent = {}): Promise<TestRequest> {
  assertText('secret', secret)
  const {
    event = 'verification.completed',
    tenantId = crypto.randomUUID(),
    timestamp = new Date(),
    ...data
  } = fields
  const approved = {
    verificationId: crypto.randomUUID(),
    status: 'approved',
    confidence: 1,
    provider: 'veriff',
  }
  const payload = { event, tenantId, data: { ...approved, ...data }, timestamp: timestamp.toISOString() }
  const body = JSON.stringify(payload)
  const key = await signatureKey(secret, 'sign')
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(body)))
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'age-verification-service',
      'x-webhook-event': event,
      'x-webhook-signature': Array.from(signature, byte => byte.toString(16).padStart(2, '0')).join(''),
    },
    body,
  }
}
