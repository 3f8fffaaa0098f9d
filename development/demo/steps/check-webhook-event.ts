import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { DemoAssertionError, expect } from '../demo-assertion-error.ts'
import { parseAs, send } from '../http.ts'
import type { DemoContext } from '../open-service.ts'
import type { DemoTenant } from './create-tenant.ts'

const received = z.object({
  items: z.array(
    z.object({
      receivedAt: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
      raw: z.string(),
    }),
  ),
})

type ReceivedEvent = z.infer<typeof received>['items'][number]

/** Prints the webhook event that was received, and verifies its signature with the tenant's secret. */
export async function checkWebhookEvent(
  { service, screen }: DemoContext,
  tenant: DemoTenant,
  verificationId: string,
): Promise<void> {
  screen.step(
    'The tenant’s webhook receiver gets a signed event',
    'Sent when the verification is completed, and retried unless the receiver responds with 2xx\nwithin 5 seconds: three attempts at most.',
  )
  const event = await waitForEvent(service.addresses.eventsUrl, verificationId)
  const { pathname, host } = new URL(service.addresses.webhookUrl)
  screen.request(`POST ${pathname}`, { host, ...event.headers }, event.body)
  parseAs(completedEvent(tenant, verificationId), event.body, 'the webhook event')
  expect(
    event.headers['x-webhook-event'] === 'verification.completed',
    'The header X-Webhook-Event is missing.',
  )

  const expected = createHmac('sha256', tenant.webhookSecret).update(event.raw).digest()
  const given = Buffer.from(event.headers['x-webhook-signature'] ?? '', 'hex')
  const valid = given.length === expected.length && timingSafeEqual(given, expected)
  expect(valid, 'The event’s signature is not the HMAC-SHA256 of its raw body with the tenant’s secret.')
  screen.passed('X-Webhook-Signature equals HMAC-SHA256(raw body, webhookSecret).')
  screen.note(`  all received events: ${service.addresses.eventsUrl}`)
}

const waitMsMax = 30_000

async function waitForEvent(eventsUrl: string, verificationId: string): Promise<ReceivedEvent> {
  const ours = z.object({ data: z.object({ verificationId: z.literal(verificationId) }) })
  const deadline = performance.now() + waitMsMax
  while (performance.now() < deadline) {
    const response = await send('GET', eventsUrl, { headers: { accept: 'application/json' } })
    const { items } = parseAs(received, response.json, 'the webhook receiver')
    const event = items.find(({ body }) => ours.safeParse(body).success)
    if (event) return event
    await delay(100)
  }
  throw new DemoAssertionError(`No webhook event was received within ${waitMsMax / 1000} s.`)
}

function completedEvent({ tenantId }: DemoTenant, verificationId: string) {
  return z.strictObject({
    event: z.literal('verification.completed'),
    tenantId: z.literal(tenantId),
    data: z.strictObject({
      verificationId: z.literal(verificationId),
      status: z.literal('approved'),
      confidence: z.number().min(0).max(1),
      provider: z.string(),
    }),
    timestamp: z.iso.datetime(),
  })
}
