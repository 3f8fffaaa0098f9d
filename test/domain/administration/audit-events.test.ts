import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { renameTenant } from '#domain/tenant/rename-tenant.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('the audit log', () => {
  let fixture: Fixture
  let tenantId: string
  before(async () => {
    fixture = await openFixture()
    tenantId = (await createTenant(fixture.operator(), { name: 'Name 0' })).id
    for (let index = 1; index <= 5; index++) {
      fixture.time.now = new Date(fixture.time.now.getTime() + 1_000)
      await renameTenant(fixture.operatorFor(tenantId), { name: `Name ${index}` })
    }
  })
  after(() => fixture.close())

  const list = (input: { limit?: number; cursor?: string | null } = {}) =>
    listAuditEvents(fixture.operatorFor(tenantId), { ...input })

  it('is listed newest first, in pages', async () => {
    const first = await list({ limit: 4 })
    const second = await list({ limit: 4, cursor: first.nextCursor })
    expect(first.items.map(event => event.changes.to)).to.deep.equal(['Name 5', 'Name 4', 'Name 3', 'Name 2'])
    expect(second.items.map(event => event.action)).to.deep.equal(['tenant.rename', 'tenant.create'])
    expect(second.nextCursor).to.equal(null)
    expect(first.items[0]).to.include({ actor: 'operator', actorIp: null, tenantId })
  })

  it('contains only the events of one tenant', async () => {
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    const { items } = await listAuditEvents(fixture.operatorFor(other.id))
    expect(items.map(event => event.target)).to.deep.equal([other.id])
  })

  it('does not record rejected changes', async () => {
    const before = (await list()).items.length
    await rejected(renameTenant(fixture.operatorFor(tenantId), { name: '' }), 'INVALID_PARAMETERS')
    expect((await list()).items).to.have.length(before)
  })
})
