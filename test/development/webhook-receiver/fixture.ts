import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import {
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '#development/webhook-receiver/start-webhook-receiver.ts'
import { signature } from '#server/providers/veriff/signature.ts'

export const tenantId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
export const secret = 'whsec_the-newest'

/** Starts a receiver on free ports, with one webhook secret. */
export function startReceiver(
  folder: string,
  options: Partial<WebhookReceiverOptions> = {},
): Promise<WebhookReceiver> {
  return startWebhookReceiver({
    folder,
    httpsPort: 0,
    viewPort: 0,
    secrets: async () => [secret],
    onError: () => {},
    ...options,
  })
}

export function eventBody(verificationId: string): string {
  return JSON.stringify({
    event: 'verification.completed',
    tenantId,
    data: { verificationId, status: 'approved', confidence: 0.97, provider: 'veriff' },
    timestamp: '2026-11-20T10:00:00.000Z',
  })
}

export function sign(body: string | Buffer, key = secret): string {
  return signature(body, key)
}

/** Sends like the service, which trusts only the receiver's certificate. */
export async function send(
  { webhookUrl, authorityFile }: Pick<WebhookReceiver, 'webhookUrl' | 'authorityFile'>,
  body: string | Buffer,
  signed: string | null = sign(body),
) {
  const headers = {
    'content-type': 'application/json',
    'x-webhook-event': 'verification.completed',
    ...(signed === null ? {} : { 'x-webhook-signature': signed }),
  }
  const ca = await readFile(authorityFile)
  return request(webhookUrl, { method: 'POST', ca, headers, agent: false }).end(body)
}

/** Returns the status. */
export async function post(...args: Parameters<typeof send>): Promise<number> {
  const sent = await send(...args)
  return await new Promise((resolve, reject) => {
    sent.once('response', response => resolve(response.resume().statusCode ?? 0))
    sent.once('error', reject)
  })
}
