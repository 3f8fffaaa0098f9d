/** The program that only posts webhook events, with the HTTP client of the delivery worker. */
import { randomUUID } from 'node:crypto'
import { completedEvent, completedEventType } from '#domain/webhook/completed-event.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'
import { createWebhookSender, type WebhookRequest } from '#server/webhooks/http/webhook-sender.ts'

interface PostOrder {
  url: string
  tenantIds: string[]
  count: number
}

export interface PostReport {
  seconds: number
  /** Posts that did not succeed. */
  failed: number
}

const concurrency = 64

const sender = createWebhookSender({
  allowedNetworks: [process.env.WEBHOOK_ALLOWED_NETWORKS!],
  caFile: process.env.WEBHOOK_CA_FILE,
})

process.on('message', async (order: PostOrder | string) => {
  if (typeof order !== 'string') process.send!(await post(order))
})

async function post({ url, tenantIds, count }: PostOrder): Promise<PostReport> {
  const requests = tenantIds.map(tenantId => createRequest(tenantId, url))
  let sent = 0
  let failed = 0
  async function postSequentially(): Promise<void> {
    while (sent < count) {
      const { ok } = await sender.send(requests[sent++ % requests.length]!)
      if (!ok) failed += 1
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, postSequentially))
  return { seconds: (performance.now() - startedAt) / 1000, failed }
}

function createRequest(tenantId: string, url: string): WebhookRequest {
  const completed = { verificationId: randomUUID(), status: 'approved', confidence: 1 } as const
  const body = Buffer.from(completedEvent({ tenantId, ...completed, provider: 'veriff' }, new Date()))
  return { tenantId, url, body, headers: eventHeaders(completedEventType, body, 'whsec_bench') }
}
