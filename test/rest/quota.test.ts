import { expect } from 'chai'
import { definePlan, type PlanDefinition } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { expectError } from '../harness/expect-error.ts'
import { countRecords } from '../harness/stored.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('The monthly quota and the hard limit', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  beforeEach(() => clock.set(new Date('2026-12-31T23:59:00.000Z')))
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  let plans = 0

  async function onPlan(plan: Omit<PlanDefinition, 'name'>): Promise<string> {
    plans += 1
    const name = `plan ${plans}`
    const { hardLimit, ...others } = plan
    await definePlan(service.operator(), { name, rateLimitPerMinute: 1000, ...others })
    await definePlan(service.operator(), { name, hardLimit })
    await setTenantPlan(forTenant(service.operator(), tenant.tenantId), { plan: name })
    return name
  }
  const starts = (count: number) => Promise.all(Array.from({ length: count }, () => client.start()))
  const used = async () => (await countRecords(service, tenant.tenantId)).used

  for (const [title, plan, code] of [
    ['the quota without overage', { monthlyQuota: 7, hardLimit: 20 }, 'QUOTA_EXCEEDED'],
    ['the hard limit with overage', { monthlyQuota: 3, hardLimit: 7, overage: true }, 'HARD_LIMIT_EXCEEDED'],
    ['a hard limit below the quota', { monthlyQuota: 20, hardLimit: 7 }, 'HARD_LIMIT_EXCEEDED'],
    ['a hard limit equal to the quota', { monthlyQuota: 7, hardLimit: 7 }, 'HARD_LIMIT_EXCEEDED'],
  ] as const) {
    it(`allow exactly as many of 40 concurrent starts as ${title} permits`, async () => {
      await onPlan(plan)
      const responses = await starts(40)
      expect(responses.filter(({ status }) => status === 201)).to.have.length(7)
      for (const response of responses.filter(({ status }) => status !== 201)) expectError(response, code)
      expect(await countRecords(service, tenant.tenantId)).to.deep.equal({
        verifications: 7,
        used: 7,
        reservations: 0,
        keys: 0,
      })
    })
  }

  it('return the seconds until the end of the UTC month', async () => {
    await onPlan({ monthlyQuota: 0 })
    const response = await client.start()
    expectError(response, 'QUOTA_EXCEEDED')
    expect(response.headers.get('retry-after')).to.equal('60')
    expect(response.body.details).to.deep.equal({
      limit: 0,
      used: 0,
      resetsAt: '2027-01-01T00:00:00.000Z',
      retryAfterSeconds: 60,
    })
    clock.set(new Date('2026-12-01T00:00:00.000Z'))
    const early = await client.start()
    expect(early.headers.get('retry-after')).to.equal(String(31 * 24 * 60 * 60))
  })

  it('start again with the UTC month', async () => {
    await onPlan({ monthlyQuota: 1 })
    expect((await client.start()).status).to.equal(201)
    clock.set(new Date('2026-12-31T23:59:59.999Z'))
    expectError(await client.start(), 'QUOTA_EXCEEDED')
    clock.set(new Date('2027-01-01T00:00:00.000Z'))
    expect((await client.start()).status).to.equal(201)
    expectError(await client.start(), 'QUOTA_EXCEEDED')
  })

  it('apply to no endpoint but start', async () => {
    await onPlan({ monthlyQuota: 1 })
    const { verificationId } = (await client.start()).body
    expectError(await client.start(), 'QUOTA_EXCEEDED')
    expect((await client.status(verificationId)).status).to.equal(200)
    expect((await client.submit(verificationId)).status).to.equal(200)
  })

  it('are not used by rejected requests or failed starts', async () => {
    await onPlan({ monthlyQuota: 2 })
    await client.start({ unknown: 1 })
    await setProvider('error-503')
    await starts(5)
    await setProvider('ok')
    expect(await used()).to.equal(0)
    expect((await starts(4)).filter(({ status }) => status === 201)).to.have.length(2)
  })

  it('are exact also while the provider fails for some starts', async () => {
    await onPlan({ monthlyQuota: 5 })
    await setProvider('error-503')
    const failing = starts(20)
    await setProvider('ok')
    const early = await failing
    const later = await starts(20)
    const succeeded = [...early, ...later].filter(({ status }) => status === 201).length
    expect(succeeded).to.equal(5)
    expect(await used()).to.equal(5)
  })

  it('change immediately with the plan, and earlier starts stay counted', async () => {
    const name = await onPlan({ monthlyQuota: 1 })
    await client.start()
    expectError(await client.start(), 'QUOTA_EXCEEDED')
    await definePlan(service.operator(), { name, monthlyQuota: 3 })
    expect((await starts(4)).filter(({ status }) => status === 201)).to.have.length(2)
    await onPlan({ monthlyQuota: 3 })
    expectError(await client.start(), 'QUOTA_EXCEEDED')
    await onPlan({ monthlyQuota: 3, overage: true })
    expect((await client.start()).status).to.equal(201)
  })

  it('are separate for each tenant', async () => {
    const name = await onPlan({ monthlyQuota: 1 })
    await client.start()
    const other = tenantClient(service, await createTestTenant(service, { plan: name }))
    expect((await other.start()).status).to.equal(201)
  })

  const setProvider = (createSession: string) =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })
})
