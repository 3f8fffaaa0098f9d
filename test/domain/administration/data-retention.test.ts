import { expect } from 'chai'
import { deleteOldAuditEvents } from '#domain/audit/delete-old-audit-events.ts'
import { getAuditEvent } from '#domain/audit/get-audit-event.ts'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { addMember } from '#domain/member/add-member.ts'
import { createInvitation } from '#domain/member/create-invitation.ts'
import { deleteEndedInvitations } from '#domain/member/delete-ended-invitations.ts'
import { Invitation } from '#domain/member/invitation.entity.ts'
import { listOwnMemberships } from '#domain/member/list-memberships.ts'
import { revokeInvitation } from '#domain/member/revoke-invitation.ts'
import { deleteRetiredKeys } from '#domain/signing-key/delete-retired-keys.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { renameTenant } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { type AuditExport, exportAuditEvents } from '#operator/queries/export-audit-events.ts'
import { listServiceAuditEvents } from '#operator/queries/list-service-audit-events.ts'
import { listSigningKeys } from '#operator/queries/list-signing-keys.ts'
import { dayMs, owner, useFixture, user } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('Administrative data ends:', () => {
  const fixture = useFixture('test')

  const later = (ms: number) => {
    fixture.time.now = new Date(fixture.time.now.getTime() + ms)
  }
  const service = () => fixture.scope({ kind: 'service' })

  it('an audit event is neither listed nor exported from its expiry on, and then deleted, of every tenant', async () => {
    const tenants: string[] = []
    for (const name of ['A', 'B']) tenants.push((await createTenant(fixture.operator(), { name })).id)
    await definePlan(fixture.operator(), { name: 'old', monthlyQuota: 1 })
    later(1)
    await definePlan(fixture.operator(), { name: 'new', monthlyQuota: 1 })
    for (const id of tenants) await renameTenant(fixture.operatorFor(id), { name: `New ${id}` })
    const actions = async () => {
      const lists = await Promise.all(tenants.map(id => listAuditEvents(fixture.operatorFor(id))))
      const { items } = await listServiceAuditEvents(fixture.operator())
      return [...lists.flatMap(list => list.items), ...items].map(
        ({ action, target }) => `${action} ${target}`,
      )
    }
    later(730 * dayMs - 1)
    expect(await actions()).to.have.length(6)
    const tenant = () => fixture.operatorFor(tenants[0]!)
    const [oldest] = (await listAuditEvents(tenant())).items.slice(-1)
    const get = () => getAuditEvent(tenant(), { auditEventId: oldest!.id })
    expect(await get()).to.include({ id: oldest!.id, action: 'tenant.create' })
    expect(await deleteOldAuditEvents(service())).to.equal(0)
    later(1)
    await rejected(get(), 'INVALID_PARAMETERS')
    const kept = [...tenants.map(id => `tenant.rename ${id}`), 'plan.set new']
    expect(await actions()).to.deep.equal(kept)
    expect(await exported({})).to.have.members(['plan.set', 'tenant.rename', 'tenant.rename'])
    expect(await deleteOldAuditEvents(service())).to.equal(3)
    expect(await actions()).to.deep.equal(kept)
    expect(await fixture.operator().em.execute('select from audit_event')).to.have.length(2)
    expect(await deleteOldAuditEvents(service())).to.equal(0)
  })

  it('an invitation is deleted 90 days after its expiry, whatever became of it', async () => {
    const { id } = await createTenant(fixture.operator(), { name: 'Shop' })
    await addMember(fixture.operatorFor(id), { subject: 'olivia', role: 'owner' })
    await listOwnMemberships(fixture.scope(user('olivia')))
    const asOwner = () => fixture.scope(owner(id))
    const { invitation } = await createInvitation(asOwner(), { role: 'viewer' })
    await revokeInvitation(asOwner(), { invitationId: invitation.id })
    await createInvitation(asOwner(), { role: 'viewer' })
    later(1)
    await createInvitation(asOwner(), { role: 'viewer' })
    await createInvitation(asOwner(), { role: 'viewer', validForDays: 30 })
    later(97 * dayMs - 1)
    expect(await deleteEndedInvitations(service())).to.equal(0)
    later(1)
    expect(await deleteEndedInvitations(service())).to.equal(2)
    expect(await fixture.operator().em.count(Invitation)).to.equal(2)
    later(23 * dayMs - 1)
    expect(await deleteEndedInvitations(service())).to.equal(1)
    later(1)
    expect(await deleteEndedInvitations(service())).to.equal(0)
    later(1)
    expect(await deleteEndedInvitations(service())).to.equal(1)
  })

  it('a retired signing key is deleted when every verification has expired whose token it signed', async () => {
    const { pool, cipher, now } = service()
    await ensureSigningKey(pool, cipher, now)
    const kids = async () => (await listSigningKeys(fixture.operator())).map(({ kid }) => kid)
    const [first] = await kids()
    const { kid, signsFrom } = await rotateSigningKey(fixture.operator())
    fixture.time.now = new Date(signsFrom.getTime() + 400 * dayMs - 1)
    expect(await deleteRetiredKeys(service())).to.equal(0)
    expect(await kids()).to.deep.equal([kid, first])
    later(1)
    expect(await deleteRetiredKeys(service())).to.equal(1)
    expect(await kids()).to.deep.equal([kid])
    later(4_000 * dayMs)
    expect(await deleteRetiredKeys(service())).to.equal(0)
  })

  it('until then, audit logs are exported as a whole, each oldest first, also more than one query reads', async () => {
    const { id } = await createTenant(fixture.operator(), { name: 'Name 0' })
    await definePlan(fixture.operator(), { name: 'exported', monthlyQuota: 1 })
    const from = fixture.time.now
    await fixture.operator().em.execute(
      `insert into audit_event (tenant_id, id, at, actor_kind, action, changes)
       select ?, gen_random_uuid(), now(), 'operator', 'bulk', '{}' from generate_series(1, 1001)`,
      [id],
    )
    // Random ids lie anywhere between the lowest and the highest one.
    await fixture
      .operator()
      .em.execute(
        `update audit_event set id = overlay(id::text placing '019f0000-0000-7' from 1 for 15)::uuid where action = 'bulk'`,
      )
    const all = await exported({ tenantId: id })
    expect(all.filter(action => action === 'bulk')).to.have.length(1001)
    expect(all.at(-1)).to.equal('tenant.create')
    expect(await exported({})).to.deep.equal(['plan.set', ...all])
    expect(await exported({ tenantId: id, from })).to.deep.equal(['tenant.create'])
    expect(await exported({ to: from })).to.deep.equal(all.slice(0, -1))
    await rejected(exportAuditEvents(fixture.operator(), { from, to: from }), 'INVALID_PARAMETERS')
    await rejected(exportAuditEvents(fixture.operatorFor('unknown'), {}), 'INVALID_PARAMETERS')
  })

  /** The actions. */
  async function exported({ tenantId, ...period }: AuditExport & { tenantId?: string }): Promise<string[]> {
    const scope = tenantId === undefined ? fixture.operator() : fixture.operatorFor(tenantId)
    const actions: string[] = []
    for await (const { action } of await exportAuditEvents(scope, period)) actions.push(action)
    return actions
  }
})
