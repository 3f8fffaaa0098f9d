import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { setSubscription, setTenantEnabled, setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { describeWithRedis, startTestRedis } from '../harness/engines/redis.ts'
import { expectError } from '../harness/expect-error.ts'
import { type ApiResponse, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant, type TestService, type TestTenant } from '../harness/test-service.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describeWithRedis('A change in one process takes effect immediately in another', () => {
  const clock = createTestClock()
  const redis = useOpened(startTestRedis)
  const one = useService(() => ({ clock, redisUrl: redis.url }))
  const two = useService(() => ({ clock, redisUrl: redis.url, databaseUrl: one.databaseUrl }))
  beforeEach(() => clock.advance(60_000))
  const tenant = useNewTenant(one)

  const validate = (service: TestService, { apiKey } = tenant) =>
    tenantClient(service, { apiKey }).validate('x')
  async function expectBoth(code: ErrorCode | 'accepted'): Promise<void> {
    for (const service of [one, two]) {
      const response = await validate(service)
      if (code === 'accepted') expect(response.status).to.equal(200)
      else expectError(response, code)
    }
  }

  const asOperator = (service: TestService) => forTenant(service.operator(), tenant.tenantId)

  it('rejects a revoked key', async () => {
    await expectBoth('accepted')
    await revokeApiKey(asOperator(one), { apiKeyId: tenant.apiKeyId })
    await expectBoth('UNAUTHENTICATED_TENANT')
  })

  it('rejects the keys of a tenant that is disabled or has no subscription, until that changes', async () => {
    await expectBoth('accepted')
    await setTenantEnabled(asOperator(one), { enabled: false })
    await expectBoth('TENANT_INACTIVE')
    await setTenantEnabled(asOperator(two), { enabled: true })
    await expectBoth('accepted')
    await setSubscription(asOperator(one), { state: 'inactive' })
    await expectBoth('BILLING_INACTIVE')
    await setSubscription(asOperator(two), { state: 'active' })
    await expectBoth('accepted')
  })

  it('applies the limits of another plan, and of a changed plan', async () => {
    await expectBoth('accepted')
    const limit = async () => (await validate(two)).headers.get('x-ratelimit-limit')
    await definePlan(one.operator(), { name: 'other', readRateLimitPerMinute: 11 })
    await setTenantPlan(asOperator(one), { plan: 'other' })
    expect(await limit()).to.equal('11')
    await definePlan(one.operator(), { name: 'other', readRateLimitPerMinute: 12 })
    expect(await limit()).to.equal('12')
  })

  it('rejects a cached key from the millisecond of its expiry on', async () => {
    const expiresAt = new Date(clock().getTime() + 1_000)
    const { value } = await createApiKey(asOperator(one), { name: 'expiring', expiresAt })
    expect((await validate(two, { ...tenant, apiKey: value })).status).to.equal(200)
    clock.advance(999)
    expect((await validate(two, { ...tenant, apiKey: value })).status).to.equal(200)
    clock.advance(1)
    expectError(await validate(two, { ...tenant, apiKey: value }), 'UNAUTHENTICATED_TENANT')
  })

  it('keeps admitting the keys of other tenants', async () => {
    const other = await createTestTenant(one)
    await validate(two, other)
    await setTenantEnabled(asOperator(one), { enabled: false })
    expect((await validate(two, other)).status).to.equal(200)
  })

  it('rejects every request that starts after the change, even while other requests fill the cache', async function () {
    this.timeout(60_000)
    for (let round = 0; round < 15; round++) {
      const subject = await createTestTenant(one)
      const operator = forTenant(one.operator(), subject.tenantId)
      const load = startLoad([one, two], subject)
      await load.warm
      if (round % 3 === 0) await revokeApiKey(operator, { apiKeyId: subject.apiKeyId })
      else if (round % 3 === 1) await setTenantEnabled(operator, { enabled: false })
      else await setSubscription(operator, { state: 'inactive' })
      const after = await Promise.all(
        Array.from({ length: 20 }, (_, i) => validate(i % 2 ? one : two, subject)),
      )
      await load.stop()
      const rejected = [401, 402]
      expect(after.map(({ status }) => rejected.includes(status))).to.deep.equal(Array(20).fill(true))
    }
  })
})

/** Sends requests with the tenant's key to each service. `warm` resolves when the first ones have responses. */
function startLoad(services: TestService[], tenant: TestTenant) {
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
