import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { StatusSubscription } from '#domain/ports.ts'
import { connectionsMax } from '#server/http/listen.ts'
import { waitsMax } from '#server/notifications/status-waits.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { stored } from '../harness/stored.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('The number of requests that wait', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  const never = new AbortController().signal
  let subscriptions: StatusSubscription[]
  beforeEach(() => {
    subscriptions = []
  })
  afterEach(() => {
    for (const subscription of subscriptions) subscription.close()
    expect(service.statusWaits.isEmpty).to.equal(true)
  })

  /** Adds requests of the tenant until no more may wait; returns how many. */
  function fill(tenantId: string): number {
    const wait = { id: crypto.randomUUID(), tenantId, waitMs: 60_000, signal: never }
    for (let count = 0; ; count++) {
      const subscription = service.statusWaits.subscribe(wait)
      if (!subscription) return count
      subscriptions.push(subscription)
    }
  }

  it("is 6,000 for a tenant alone, a minute of one key's default read limit, and leaves room for others", () => {
    expect(fill('one')).to.equal(6_000)
    expect(fill('another')).to.equal(1_500)
    expect(fill('a third')).to.equal(375)
    for (let tenant = 0; tenant < 20; tenant++) fill(`further tenant ${tenant}`)
    expect(subscriptions.length).to.equal(waitsMax)
    expect([waitsMax, connectionsMax], 'a fifth is left to others').to.deep.equal([8_000, 10_000])
  })

  it('is bounded by a 429 with Retry-After, and no other response is affected', async () => {
    const { verificationId } = (await client.start()).body
    const decided = await client.decided('decline')
    fill(tenant.tenantId)
    const response = await client.awaitChange(verificationId, 25)
    expectError(response, 'RATE_LIMIT_EXCEEDED')
    expectRateLimitHeaders(response, true)
    expect(response.headers.get('retry-after')).to.equal('3')
    expect(response.body.details).to.deep.equal({ retryAfterSeconds: 3 })
    expect(response.body.message).to.equal(
      'Too many requests are waiting for a change. Retry after the given delay, or without `wait`.',
    )
    expect((await client.status(verificationId)).body.status).to.equal('pending')
    expect((await client.awaitChange(decided, 25)).body.status).to.equal('denied')
    const unknown = await client.awaitChange('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1', 25)
    expectError(unknown, 'VERIFICATION_NOT_FOUND')
  })

  it('includes starts that wait for the first one with their Idempotency-Key', async () => {
    await stored(
      service,
      `insert into idempotency_key (tenant_id, key_digest, request_digest, verification_id, created_at, locked_until)
       values ($1, $2, $3, gen_random_uuid(), now(), now() + '1 hour')`,
      [tenant.tenantId, digestOf('k'), digestOf('[null,null]')],
    )
    fill(tenant.tenantId)
    const response = await client.start({}, { 'idempotency-key': 'k' })
    expectError(response, 'RATE_LIMIT_EXCEEDED')
    expectRateLimitHeaders(response, true)
    expect(response.headers.get('retry-after')).to.equal('3')
    expect(response.body.message).to.equal(
      'Too many requests are waiting. Retry with the same Idempotency-Key after the given delay.',
    )
    expect((await client.start({}, { 'idempotency-key': 'other' })).status).to.equal(201)
  })

  it('of one tenant does not keep the requests of another from waiting', async () => {
    fill(tenant.tenantId)
    const other = tenantClient(service, await createTestTenant(service))
    const { verificationId } = (await other.start()).body
    const response = other.awaitChange(verificationId, 60)
    await eventually(() => service.statusWaits.count === 1)
    await control(service, verificationId, 'open')
    expect((await response).body.status).to.equal('started')
  })
})

/** The first half of the SHA-256. */
function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}
