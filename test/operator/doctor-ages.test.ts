import { expect } from 'chai'
import { startsTest } from '#domain/tenant/test-tenant.policy.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { describeAges } from '#operator/doctor/database-ages.ts'
import { useFixture } from '../domain/verification/fixture.ts'
import { startOne } from '../domain/verification/start-one.ts'

describe('The ages of approvals that operator doctor looks at', () => {
  const fixture = useFixture('test')

  async function approve(tenantId: string, over18: boolean | null, times: number): Promise<void> {
    const test = startsTest(fixture.tenant(tenantId))
    for (let approved = 0; approved < times; approved++) {
      const one = await startOne(fixture, tenantId)
      await recordProviderResult(fixture.service(), one.result('approved', { over18 }), { test })
    }
  }

  const describeNow = () => describeAges(fixture.service().pool, fixture.clock())

  it('are those of live tenants, of which none may be', async () => {
    await approve(await fixture.addTenant({ test: true }), null, 20)
    expect(await describeNow()).to.equal('no live verification was approved within 30 days')
  })

  it('are a fault if none of many is known, and in order once one is', async () => {
    const tenantId = await fixture.addTenant()
    await approve(tenantId, null, 4)
    expect(await describeNow()).to.equal('known for 0 of the last 4 approvals')
    await approve(tenantId, null, 1)
    const fault: Error = await describeNow().then(expect.fail, error => error)
    expect(fault.name).to.equal('Fault')
    expect(fault.message).to.match(/^of the last 5 approvals none had a date of birth that could be read/)
    await approve(tenantId, false, 1)
    expect(await describeNow()).to.equal('known for 1 of the last 6 approvals')
  })
})
