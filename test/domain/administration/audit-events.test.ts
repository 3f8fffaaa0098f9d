import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { replaceApiKey } from '#domain/api-key/replace-api-key.ts'
import { exportTenantEvents } from '#domain/audit/find-audit-events.ts'
import { type AuditRequest, listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { rotateEncryptionKey } from '#domain/encryption-key/rotate-encryption-key.ts'
import { forTenant } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { renameTenant } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { listServiceAuditEvents } from '#operator/queries/list-service-audit-events.ts'
import { owner, useFixture } from './fixture.ts'
import { storeOwner } from './history.ts'
import { rejected } from './rejected.ts'

describe('the audit log', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = (await createTenant(fixture.operator(), { name: 'Name 0' })).id
    for (let index = 1; index <= 5; index++) {
      fixture.time.now = new Date(fixture.time.now.getTime() + 1_000)
      await renameTenant(fixture.operatorFor(tenantId), { name: `Name ${index}` })
    }
  })

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

  it('is filtered by actor, kind of actor, action and time, and never by the user of an operator', async () => {
    const { id } = await createTenant(fixture.operator(), { name: 'Shop' })
    const from = fixture.time.now
    const byRoot = fixture.scope({ kind: 'operator', osUser: 'root' })
    await renameTenant(forTenant(byRoot, id), { name: 'By the operator' })
    for (const subject of ['ann', 'root']) await storeOwner(fixture.operator(), id, subject)
    await renameTenant(fixture.scope(owner(id, 'ann')), { name: 'By Ann' })
    const { key } = await createApiKey(fixture.scope(owner(id, 'root')), { name: 'By a member called root' })
    fixture.time.now = new Date(from.getTime() + 1_000)
    await renameTenant(fixture.scope(owner(id, 'ann')), { name: 'Later' })
    const found = async (filter: AuditRequest) => {
      const { items, nextCursor, searchedUntil } = await listAuditEvents(fixture.operatorFor(id), filter)
      expect([nextCursor, searchedUntil]).to.deep.equal([null, null])
      const exported = await exportedIds(id, filter)
      expect(exported).to.deep.equal(items.map(event => event.id))
      return items.map(({ action, changes }) => changes.to ?? changes.name ?? action)
    }
    const all = await found({})
    expect(all).to.have.length(5)
    expect(await found({ actor: 'ann' })).to.deep.equal(['Later', 'By Ann'])
    expect(await found({ actor: 'root' })).to.deep.equal(['By a member called root'])
    expect(await found({ actor: 'root', actorKind: 'operator' })).to.deep.equal([])
    expect(await found({ actorKind: 'operator', action: 'tenant.rename' })).to.deep.equal(['By the operator'])
    expect(await found({ action: 'api_key.create' })).to.deep.equal(['By a member called root'])
    expect(await found({ search: key.id, actor: 'ann' })).to.deep.equal([])
    expect(await found({ from: fixture.time.now })).to.deep.equal(['Later'])
    expect(await found({ from, to: fixture.time.now })).to.deep.equal(all.slice(1))
    expect(await found({ actor: 'ann', to: fixture.time.now })).to.deep.equal(['By Ann'])
    const invalid: unknown[] = [
      { actor: '\0' },
      { actor: '' },
      { search: '' },
      { action: 'x' },
      { actorKind: 'x' },
    ]
    for (const filter of invalid)
      await rejected(listAuditEvents(fixture.operatorFor(id), filter as AuditRequest), 'INVALID_PARAMETERS')
  })

  it('is searched by the ID of an event, of what it changed and of what came of that, a name and an IP address', async () => {
    const { id } = await createTenant(fixture.operator(), { name: 'Shop' })
    await storeOwner(fixture.operator(), id, 'ann')
    const scope = () => fixture.scope({ ...owner(id, 'ann'), ip: '2001:db8::7' })
    const { key } = await createApiKey(scope(), { name: 'Till 100%_\\' })
    fixture.time.now = new Date(fixture.time.now.getTime() + 1_000)
    const { key: successor } = await replaceApiKey(scope(), { apiKeyId: key.id, overlapHours: 0 })
    const found = async (search: string) =>
      (await listAuditEvents(fixture.operatorFor(id), { search })).items.map(({ action }) => action)
    const both = ['api_key.replace', 'api_key.create']
    for (const search of [key.id, key.id.slice(-8), 'till 100%_\\', '100%', '2001:db8::7'])
      expect(await found(search), search).to.deep.equal(both)
    for (const search of [successor.id, successor.id.slice(-8)])
      expect(await found(search), search).to.deep.equal(['api_key.replace'])
    for (const search of [key.id.slice(0, 8), `%${key.id.slice(-8)}`, '1__', '2001:db8::'])
      expect(await found(search), search).to.deep.equal([])
    const [event] = (await listAuditEvents(fixture.operatorFor(id), { action: 'api_key.create' })).items
    for (const search of [event!.id, event!.id.toUpperCase()])
      expect(await found(search)).to.deep.equal(['api_key.create'])
  })

  async function exportedIds(id: string, filter: AuditRequest): Promise<string[]> {
    const ids: string[] = []
    for await (const events of exportTenantEvents(fixture.operatorFor(id), filter))
      ids.push(...events.map(event => event.id))
    return ids
  }
})
