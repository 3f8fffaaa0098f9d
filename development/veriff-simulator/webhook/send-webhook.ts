import { type Dispatcher, request } from 'undici'
import { signedHeaders } from '../signature.ts'
import type { Delivery } from './delivery.ts'

export interface WebhookTarget {
  url: string
  apiKey: string
  secret: string
  timeoutSeconds: number
  dispatcher: Dispatcher
}

/** Makes one attempt. Returns the HTTP status; throws without a response in time. Redirects are not followed. */
export async function sendWebhook(
  target: WebhookTarget,
  { body, signing }: Delivery,
  closed: AbortSignal,
): Promise<number> {
  const bytes = Buffer.from(body)
  const response = await request(target.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders(target, bytes, signing) },
    body: bytes,
    dispatcher: target.dispatcher,
    signal: AbortSignal.any([AbortSignal.timeout(target.timeoutSeconds * 1000), closed]),
  })
  await response.body.dump()
  return response.statusCode
}
