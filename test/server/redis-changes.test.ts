import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { expectError } from '#test/support/expect-error.ts'
import { describeWithRedis, startTestRedis, type TestRedis } from '#test/support/redis.ts'
import { type ApiResponse, tenantClient } from '#test/support/tenant-client.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '#test/support/test-service.ts'

describeWithRedis('What changes in one process holds at once in another', () => {
  const clock = createTestClock()
  let redis: TestRedis
  let one: TestService
  let two: TestService
  let tenant: TestTenant
  before(async () => {
    redis = await startTestRedis()
    one = await startTestService({ clock, redisUrl: redis.url })
    two = await startTestService({ clock, redisUrl: redis.url, databaseUrl: one.databaseUrl })
  })
  after(async () => {
    await two?.close()
    await one?.close()
    await redis.close()
  })
  beforeEach(async () => {
    clock.advance(60_000)
    tenant = await createTestTenant(one)
  })

  const validate = (service: TestService, { apiKey } = tenant) =>
    tenantClient(service, { apiKey }).validate('x')
  async function expectBoth(code: ErrorCode | 'accepted'): Promise<void> {
    for (const service of [one, two]) {
      const answer = await validate(service)
      if (code === 'accepted') expect(answer.status).to.equal(200)
      else expectError(answer, code)
    }
  }

  it('the revocation of a key', async () => {
    await expectBoth('accepted')
    await revokeApiKey(one.operator(), { apiKeyId: tenant.apiKeyId })
    await expectBoth('UNAUTHENTICATED_TENANT')
  })

  it('the end and return of a tenant', async () => {
    await expectBoth('accepted')
    const { tenantId } = tenant
    await setTenantEnabled(one.operator(), { tenantId, enabled: false })
    await expectBoth('TENANT_INACTIVE')
    await setTenantEnabled(two.operator(), { tenantId, enabled: true })
    await expectBoth('accepted')
  })

  it('the end and return of a subscription', async () => {
    await expectBoth('accepted')
    const { tenantId } = tenant
    await setSubscription(one.operator(), { tenantId, state: 'inactive' })
    await expectBoth('BILLING_INACTIVE')
    await setSubscription(two.operator(), { tenantId, state: 'active' })
    await expectBoth('accepted')
  })

  it("another plan, and the plan's own change", async () => {
    await expectBoth('accepted')
    const limit = async () => (await validate(two)).headers.get('x-ratelimit-limit')
    await definePlan(one.operator(), { name: 'other', readRateLimitPerMinute: 11 })
    await setTenantPlan(one.operator(), { tenantId: tenant.tenantId, plan: 'other' })
    expect(await limit()).to.equal('11')
    await definePlan(one.operator(), { name: 'other', readRateLimitPerMinute: 12 })
    expect(await limit()).to.equal('12')
  })

  it('the expiry of a key, by the clock alone', async () => {
    const expiresAt = new Date(clock().getTime() + 1_000)
    const { tenantId } = tenant
    const { value } = await createApiKey(one.operator(), { tenantId, name: 'brief', expiresAt })
    expect((await validate(two, { ...tenant, apiKey: value })).status).to.equal(200)
    clock.advance(999)
    expect((await validate(two, { ...tenant, apiKey: value })).status).to.equal(200)
    clock.advance(1)
    expectError(await validate(two, { ...tenant, apiKey: value }), 'UNAUTHENTICATED_TENANT')
  })

  it('a new key', async () => {
    const { value } = await createApiKey(one.operator(), { tenantId: tenant.tenantId, name: 'new' })
    expect((await validate(two, { ...tenant, apiKey: value })).status).to.equal(200)
  })

  it('leaves other tenants alone', async () => {
    const other = await createTestTenant(one)
    await validate(two, other)
    await setTenantEnabled(one.operator(), { tenantId: tenant.tenantId, enabled: false })
    expect((await validate(two, other)).status).to.equal(200)
  })

  it('also when requests fill the cache during the change: none that begins after it is accepted', async function () {
    this.timeout(60_000)
    for (let round = 0; round < 15; round++) {
      const subject = await createTestTenant(one)
      const hammer = startHammering([one, two], subject)
      await hammer.warm
      const change =
        round % 3 === 0
          ? revokeApiKey(one.operator(), { apiKeyId: subject.apiKeyId })
          : round % 3 === 1
            ? setTenantEnabled(one.operator(), { tenantId: subject.tenantId, enabled: false })
            : setSubscription(one.operator(), { tenantId: subject.tenantId, state: 'inactive' })
      await change
      const after = await Promise.all(
        Array.from({ length: 20 }, (_, i) => validate(i % 2 ? one : two, subject)),
      )
      await hammer.stop()
      expect(after.map(({ status }) => status >= 401 && status <= 402)).to.deep.equal(Array(20).fill(true))
    }
  })
})

/** Keeps both services busy with the tenant's key; `warm` when it has been accepted by each. */
function startHammering(services: TestService[], tenant: TestTenant) {
  let stopped = false
  const firsts: Promise<ApiResponse>[] = []
  const loops = services.flatMap(service =>
    Array.from({ length: 4 }, async () => {
      const client = tenantClient(service, tenant)
      const first = client.validate('x')
      firsts.push(first)
      await first
      while (!stopped) await client.validate('x')
    }),
  )
  return {
    warm: Promise.all(firsts),
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}
