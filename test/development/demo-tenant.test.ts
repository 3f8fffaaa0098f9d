import { expect } from 'chai'
import { ensureDemoTenant } from '#development/demo-tenant.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { forTenant } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { listTenants } from '#domain/tenant/list-tenants.ts'
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
})
