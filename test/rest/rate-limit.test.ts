import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { expectError } from '../harness/expect-error.ts'
import { type ApiResponse, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('Rate limits', () => {
  /** Ten seconds into a minute. */
  const clock = createTestClock(new Date('2026-05-06T07:08:10.000Z'))
  // Nobody waits for a place, which they may for two seconds.
  const service = useService({ clock, env: { MAX_CONCURRENT_REQUESTS: '150' } })
  beforeEach(() => clock.set(new Date(clock().getTime() + 60_000)))
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  const complete = (of = client) => of.send('/verify/complete', { method: 'POST' })
  const many = (count: number, send: () => Promise<ApiResponse>) =>
    Promise.all(Array.from({ length: count }, send))
  const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining'))
  const limited = (responses: ApiResponse[]) => responses.filter(({ status }) => status === 429).length

  it('allow 60 writes a minute and reject the 61st with the seconds to wait', async () => {
    const first = await complete()
    expect(remaining(first)).to.equal(59)
    await many(58, complete)
    const sixtieth = await complete()
    expect(sixtieth.status).to.equal(400)
    expect(remaining(sixtieth)).to.equal(0)
    const next = await complete()
    expectError(next, 'RATE_LIMIT_EXCEEDED')
    expect(next.headers.get('retry-after')).to.equal('50')
    expect(next.body.details).to.deep.equal({ retryAfterSeconds: 50 })
    expect(Number(next.headers.get('x-ratelimit-reset'))).to.equal((clock().getTime() + 50_000) / 1000)
  })

  it('start again with the next minute, and not before it', async () => {
    await many(61, complete)
    clock.advance(49_999)
    const late = await complete()
    expectError(late, 'RATE_LIMIT_EXCEEDED')
    expect(late.headers.get('retry-after')).to.equal('1')
    clock.advance(1)
    const next = await complete()
    expect(next.status).to.equal(400)
    expect(remaining(next)).to.equal(59)
    clock.advance(10_000)
  })

  it('count start, submit and complete in one window', async () => {
    const started = await client.start()
    expect(remaining(started)).to.equal(59)
    expect(remaining(await client.submit(started.body.verificationId))).to.equal(58)
    expect(remaining(await complete())).to.equal(57)
  })

  it('count status and validate in another window, which is larger', async () => {
    const { verificationId } = (await client.start()).body
    const status = await client.status(verificationId)
    expect(status.headers.get('x-ratelimit-limit')).to.equal('6000')
    expect(remaining(status)).to.equal(5999)
    expect(remaining(await client.validate('x'))).to.equal(5998)
    await many(61, complete)
    expect((await client.status(verificationId)).status).to.equal(200)
  })

  it('apply to each key separately', async () => {
    const { tenantId } = tenant
    const other = await createApiKey(forTenant(service.operator(), tenantId), { name: 'second' })
    await many(61, complete)
    expectError(await complete(), 'RATE_LIMIT_EXCEEDED')
    const byOther = await complete(tenantClient(service, { apiKey: other.value }))
    expect(byOther.status).to.equal(400)
    expect(remaining(byOther)).to.equal(59)
  })

  it('follow the plan, and take effect immediately when the plan changes', async () => {
    const operator = service.operator()
    await definePlan(operator, { name: 'three', rateLimitPerMinute: 3, readRateLimitPerMinute: 2 })
    await setTenantPlan(forTenant(operator, tenant.tenantId), { plan: 'three' })
    expect(limited(await many(5, complete))).to.equal(2)
    expect(limited(await many(5, () => client.validate('x')))).to.equal(3)
    await definePlan(operator, { name: 'three', rateLimitPerMinute: 7 })
    expect(limited(await many(5, complete))).to.equal(3)
  })

  it('allow exactly the limit of 150 concurrent requests', async () => {
    const responses = await many(150, complete)
    expect(limited(responses)).to.equal(90)
    expect(responses.filter(({ status }) => status === 400)).to.have.length(60)
    const remainders = responses.filter(({ status }) => status === 400).map(remaining)
    expect(remainders.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 60 }, (_, i) => i))
  })
})
