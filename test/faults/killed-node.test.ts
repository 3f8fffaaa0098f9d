import { expect } from 'chai'
import { demoTenant, tenantOf } from '../harness/processes/demo-tenant.ts'
import { processesOf } from '../harness/processes/process-tree.ts'
import { serviceFixture } from '../harness/processes/service-fixture.ts'

describe('A service whose Node process alone is killed', function () {
  this.timeout(120_000)
  const fixture = serviceFixture()

  it('leaves a PostgreSQL running, which the next start replaces, with all its data', async () => {
    const first = await fixture.start()
    const { apiKey } = await demoTenant(first)
    const { body } = await tenantOf(first, apiKey).start()
    first.signal('SIGKILL')
    expect(await first.ended).to.include({ signal: 'SIGKILL' })
    const orphans = processesOf(first.dataFolder)
    expect(orphans).not.to.deep.equal([])

    const second = await fixture.start()
    expect(second.baseUrl).to.equal(first.baseUrl)
    const { status, body: after } = await tenantOf(second, apiKey).status(body.verificationId)
    expect({ status, now: after.status }).to.deep.equal({ status: 200, now: 'pending' })
    expect(processesOf(first.dataFolder)).not.to.include.members(orphans)
  })
})
