import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import {
  type EventReceiver,
  type EventReceiverOptions,
  startWebhookReceiver,
} from '#server/development/webhook-receiver/start-webhook-receiver.ts'

export const tenantId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
export const secret = 'whsec_the-newest'

/** A receiver on free ports that knows one tenant. */
export function startReceiver(
  folder: string,
  options: Partial<EventReceiverOptions> = {},
): Promise<EventReceiver> {
  return startWebhookReceiver({
    folder,
    host: '127.0.0.1',
    httpsPort: 0,
    viewPort: 0,
    secrets: async () => [secret],
    onError: () => {},
    ...options,
  })
}

export function eventBody(verificationId: string, tenant = tenantId): string {
  return JSON.stringify({
    event: 'verification.completed',
    tenantId: tenant,
    data: { verificationId, status: 'approved', confidence: 0.97, provider: 'veriff' },
    timestamp: '2026-11-20T10:00:00.000Z',
  })
}

export function sign(body: string | Buffer, key = secret): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

/** Posts as the sender does: trusting the receiver's authority, and no other. Answers the status. */
export async function post(
  receiver: EventReceiver,
  body: string | Buffer,
  signature: string | null = sign(body),
): Promise<number> {
  const ca = await readFile(receiver.authorityFile)
  const headers = {
    'content-type': 'application/json',
    'x-webhook-event': 'verification.completed',
    ...(signature === null ? {} : { 'x-webhook-signature': signature }),
  }
  return await new Promise((resolve, reject) => {
    const call = request(receiver.webhookUrl, { method: 'POST', ca, headers, agent: false }, answer => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    call.once('error', reject)
    call.end(body)
  })
}

interface Shown {
  receivedAt: string
  signature: string
  headers: Record<string, string>
  body: { data: { verificationId: string } } | null
  raw: string
}

export async function shownBy(receiver: EventReceiver): Promise<Shown[]> {
  const response = await fetch(receiver.viewUrl)
  return ((await response.json()) as { items: Shown[] }).items
}

export async function pageOf(receiver: EventReceiver): Promise<Response> {
  return await fetch(receiver.viewUrl, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
}
