import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { renameTenant } from '#domain/tenant/rename-tenant.ts'
import { type Administration, openAdministration } from './administration.ts'
import { refused } from './rejected.ts'

describe('the audit log', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
    tenantId = (await createTenant(here.operator(), { name: 'Name 0' })).id
    for (let index = 1; index <= 5; index++) {
      here.time.now = new Date(here.time.now.getTime() + 1_000)
      await renameTenant(here.operator(), { tenantId, name: `Name ${index}` })
    }
  })
  after(() => here.close())

  const list = (input: { limit?: number; cursor?: string | null } = {}) =>
    listAuditEvents(here.operator(), { tenantId, ...input })

  it('tells the newest first, page by page, to its end', async () => {
    const first = await list({ limit: 4 })
    const second = await list({ limit: 4, cursor: first.nextCursor })
    expect(first.items.map(event => event.changes.to)).to.deep.equal(['Name 5', 'Name 4', 'Name 3', 'Name 2'])
    expect(second.items.map(event => event.action)).to.deep.equal(['tenant.rename', 'tenant.create'])
    expect(second.nextCursor).to.equal(null)
    expect(first.items[0]).to.include({ actor: 'operator', actorIp: null, tenantId })
  })

  it('is each tenant’s own', async () => {
    const other = await createTenant(here.operator(), { name: 'Other' })
    const { items } = await listAuditEvents(here.operator(), { tenantId: other.id })
    expect(items.map(event => event.target)).to.deep.equal([other.id])
  })

  it('says nothing of what was refused', async () => {
    const before = (await list()).items.length
    await refused(renameTenant(here.operator(), { tenantId, name: '' }), 'INVALID_PARAMETERS')
    expect((await list()).items).to.have.length(before)
  })
})
