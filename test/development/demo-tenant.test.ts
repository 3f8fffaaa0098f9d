import { expect } from 'chai'
import { ensureDemoTenant } from '#development/demo-tenant.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { forTenant } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { listTenants } from '#domain/tenant/list-tenants.ts'
import { inWaves } from '../harness/in-waves.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { startTestService, type TestService } from '../harness/test-service.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('The demo tenant', () => {
  const folder = temporaryFolder()
  let service: TestService
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.close())

  it('is never a tenant that a customer named Demo', async () => {
    const { id } = await createTenant(service.operator(), { name: 'Demo' })
    expect(await ensureDemoTenant(service.operator, folder.path, undefined)).to.equal(undefined)
    expect((await listMembers(forTenant(service.operator(), id))).items).to.deep.equal([])
    expect(await listTenants(service.operator())).to.have.length(1)
  })

  it('is recognized by its id, also beside a tenant of the same name', async () => {
    const created = await ensureDemoTenant(service.operator, folder.path, undefined)
    expect(created?.apiKey).to.match(/^avk_/)
    await createTenant(service.operator(), { name: 'Demo' })
    expect(await ensureDemoTenant(service.operator, folder.path, undefined)).to.deep.equal({
      tenantId: created?.tenantId,
      apiKey: undefined,
    })
  })

  it('has limits that a suite of tests does not meet', async () => {
    const tenant = await ensureDemoTenant(service.operator, folder.path, undefined)
    const client = tenantClient(service, { apiKey: tenant!.apiKey! })
    const results = await inWaves(200, async () => {
      const { status, body } = await client.start()
      return [status, (await client.choose(body.verificationId, 'adult')).body.over18]
    })
    expect(results).to.deep.equal(Array(200).fill([201, true]))
  }).timeout(30_000)
})
