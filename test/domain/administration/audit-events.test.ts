import { expect } from 'chai'
import { listAuditEvents, listServiceAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { rotateEncryptionKey } from '#domain/encryption-key/rotate-encryption-key.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { renameTenant } from '#domain/tenant/rename-tenant.ts'
import { type Fixture, memberIssuer, openFixture, owner } from './fixture.ts'
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
    const actor = { actorKind: 'operator', actorIssuer: null, actorSubject: null, actorIp: null }
    expect(first.items[0]).to.include({ ...actor, tenantId })
  })

  it('contains only the events of one tenant', async () => {
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    const { items } = await listAuditEvents(fixture.operatorFor(other.id))
    expect(items.map(event => event.target)).to.deep.equal([other.id])
  })

  it('tells a user whose subject is "operator" from the operator, and records the operating-system user', async () => {
    const { id } = await createTenant(fixture.operator(), { name: 'Shop' })
    await renameTenant(fixture.scope(owner(id, 'operator')), { name: 'By a member' })
    const byRoot = fixture.scope({ kind: 'operator', osUser: 'root' })
    await renameTenant(forTenant(byRoot, id), { name: 'By the operator' })
    const { items } = await listAuditEvents(fixture.operatorFor(id))
    const renames = items.filter(({ action }) => action === 'tenant.rename')
    const actors = renames.map(({ changes, actorKind, actorIssuer, actorSubject }) => [
      changes.to,
      actorKind,
      actorIssuer,
      actorSubject,
    ])
    expect(actors).to.have.deep.members([
      ['By a member', 'member', memberIssuer, 'operator'],
      ['By the operator', 'operator', null, 'root'],
    ])
  })

  it('of the whole service records plans and rotations of keys, in no log of a tenant', async () => {
    const operator = () => fixture.scope({ kind: 'operator', osUser: 'root' })
    await definePlan(operator(), { name: 'large', monthlyQuota: 7 })
    const { kid } = await rotateSigningKey(operator())
    fixture.time.now = new Date(fixture.time.now.getTime() + 120_000)
    await rotateSigningKey(operator(), { compromised: kid })
    await rotateEncryptionKey(operator())
    const { items } = await listServiceAuditEvents(operator())
    for (const item of items) expect(item).to.include({ actorKind: 'operator', actorSubject: 'root' })
    const recorded = items.map(({ action, target, changes }) => ({ action, target, changes }))
    expect(recorded).to.deep.include({ action: 'plan.set', target: 'large', changes: { monthlyQuota: 7 } })
    const rotations = recorded.filter(({ action }) => action === 'signing_key.rotate')
    expect(rotations.map(({ changes }) => changes.compromised)).to.have.members([null, kid])
    expect(rotations.map(({ target }) => target)).to.include(kid)
    expect(recorded).to.deep.include({
      action: 'encryption_key.rotate',
      target: null,
      changes: { sealed: 0 },
    })
    const newest = await listServiceAuditEvents(operator(), { limit: 1 })
    expect(newest.items).to.have.length(1)
    const older = await listServiceAuditEvents(operator(), { cursor: newest.nextCursor })
    expect(older.items).to.have.length(items.length - 1)
    expect((await list({ limit: 100 })).items.map(({ action }) => action)).not.to.include('plan.set')
  })

  it('does not record rejected changes', async () => {
    const before = (await list()).items.length
    await rejected(renameTenant(fixture.operatorFor(tenantId), { name: '' }), 'INVALID_PARAMETERS')
    expect((await list()).items).to.have.length(before)
  })
})
