import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { DemoAssertionError, expect } from '../demo-assertion-error.ts'
import type { Fixture } from '../demo-context.ts'
import { send } from '../http.ts'
import { readAs } from '../read-as.ts'
import type { DemoTenant } from './make-tenant.ts'

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

/** The event as it arrived, and whether its signature is the tenant's. */
export async function readEvent(fixture: Fixture, tenant: DemoTenant, verificationId: string): Promise<void> {
  const { service, screen } = fixture
  screen.part(
    'The tenant’s receiver got a signed event',
    'Sent once the verification was completed, and again where it is not answered with 2xx\nwithin 5 seconds: three times at most.',
  )
  const event = await waitForEvent(service.addresses.eventsUrl, verificationId)
  const { pathname, host } = new URL(service.addresses.webhookUrl)
  screen.sent(`POST ${pathname}`, { host, ...event.headers }, event.body)
  readAs(completed(tenant, verificationId), event.body, 'The event')
  expect(event.headers['x-webhook-event'] === 'verification.completed', 'The event has no X-Webhook-Event.')

  const expected = createHmac('sha256', tenant.webhookSecret).update(event.raw).digest()
  const given = Buffer.from(event.headers['x-webhook-signature'] ?? '', 'hex')
  const right = given.length === expected.length && timingSafeEqual(given, expected)
  expect(right, 'The event’s signature is not the HMAC-SHA256 of its raw bytes, keyed with the secret.')
  screen.right('HMAC-SHA256(raw body, webhookSecret) equals X-Webhook-Signature.')
  screen.note(`  all received events: ${service.addresses.eventsUrl}`)
}

const arrivesWithinMs = 30_000

async function waitForEvent(eventsUrl: string, verificationId: string): Promise<ReceivedEvent> {
  const ours = z.object({ data: z.object({ verificationId: z.literal(verificationId) }) })
  const latest = performance.now() + arrivesWithinMs
  while (performance.now() < latest) {
    const answer = await send('GET', eventsUrl, { headers: { accept: 'application/json' } })
    const { items } = readAs(received, answer.json, 'The receiver’s view')
    const event = items.find(({ body }) => ours.safeParse(body).success)
    if (event) return event
    await delay(100)
  }
  throw new DemoAssertionError(`No event arrived within ${arrivesWithinMs / 1000} s.`)
}

function completed({ tenantId }: DemoTenant, verificationId: string) {
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
