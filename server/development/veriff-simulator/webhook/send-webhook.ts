import { randomUUID } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import { sign } from '../sign.ts'
import type { Signing } from './delivery.ts'

export interface WebhookRoute {
  url: string
  apiKey: string
  secret: string
  deadlineSeconds: number
  dispatcher: Dispatcher
}

/** One try; the service's status. Throws when there is no answer in time. Redirects are not followed. */
export async function sendWebhook(
  route: WebhookRoute,
  body: string,
  signing: Signing,
  ended: AbortSignal,
): Promise<number> {
  const bytes = Buffer.from(body)
  const response = await request(route.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signingHeaders(route, bytes, signing) },
    body: bytes,
    dispatcher: route.dispatcher,
    signal: AbortSignal.any([AbortSignal.timeout(route.deadlineSeconds * 1000), ended]),
  })
  await response.body.dump()
  return response.statusCode
}

/** Both pairs of names, as integrations of different age get the one or the other. */
function signingHeaders(route: WebhookRoute, bytes: Buffer, signing: Signing): Record<string, string> {
  const client = signing === 'wrong-client' ? randomUUID() : route.apiKey
  const clientHeaders = { 'x-auth-client': client, 'vrf-auth-client': client }
  if (signing === 'unsigned') return clientHeaders
  const signature = sign(bytes, signing === 'wrong-signature' ? randomUUID() : route.secret)
  return { ...clientHeaders, 'x-hmac-signature': signature, 'vrf-hmac-signature': signature }
}
