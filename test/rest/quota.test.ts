import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { definePlan, type PlanDefinition } from '#domain/tenant/define-plan.ts'
import { expectError } from '../harness/expect-error.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
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
    await definePlan(service.operator(), { name, rateLimitPerMinute: 1000, ...plan })
    await setTenantPlan(forTenant(service.operator(), tenant.tenantId), { plan: name })
    return name
  }

  it('apply to no endpoint but start', async () => {
    await onPlan({ monthlyQuota: 1 })
    const { verificationId } = (await client.start()).body
    expectError(await client.start(), 'QUOTA_EXCEEDED')
    expect((await client.status(verificationId)).status).to.equal(200)
    expect((await client.submit(verificationId)).status).to.equal(200)
  })
})
