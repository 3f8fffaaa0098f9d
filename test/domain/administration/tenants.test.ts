import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { acceptInvitation } from '#domain/member/accept-invitation.ts'
import { addMember } from '#domain/member/add-member.ts'
import { createInvitation } from '#domain/member/create-invitation.ts'
import { getInvitation } from '#domain/member/get-invitation.ts'
import { leaveTenant, removeMember } from '#domain/member/remove-member.ts'
import { renameTenant } from '#domain/tenant/change-settings.ts'
import { setTenantEnabled } from '#domain/tenant/change-tenant-access.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { provisioningState, provisionTenant } from '#domain/tenant/provision-tenant.ts'
import { listTenants } from '#operator/queries/list-tenants.ts'
import { memberIssuer, owner, useFixture, user } from './fixture.ts'
import { storeOwner } from './history.ts'
import { rejected } from './rejected.ts'

describe('tenants', () => {
  const fixture = useFixture()

  const actions = async (tenantId: string) =>
    (await listAuditEvents(fixture.operatorFor(tenantId))).items.map(event => event.action)

  it('are created enabled, with an active subscription and on the default plan', async () => {
    const { id } = await createTenant(fixture.operator(), { name: '  Corner Shop ' })
    const tenant = await findTenant(fixture.operatorFor(id))
    expect(tenant).to.include({
      name: 'Corner Shop',
      subscription: 'active',
      enabled: true,
      webhookUrl: null,
    })
    expect(tenant.plan).to.include({
      name: 'default',
      rateLimitPerMinute: 60,
      readRateLimitPerMinute: 6_000,
      monthlyQuota: 10_000,
      hardLimit: 20_000,
      overage: false,
    })
    expect((await listTenants(fixture.operator())).map(listed => listed.id)).to.include(id)
    expect(await actions(id)).to.deep.equal(['tenant.create'])
  })

  it('cannot be created with an empty or long name, or one with characters that are not shown', async () => {
    const before = (await listTenants(fixture.operator())).length
    const hidden = [
      'a\0b',
      'a\nb',
      '\ud800',
      'a\u202eb',
      'a\u200bb',
      'a\u200db',
      '👩\u200d',
      'می\u200c\u200cخواهم',
      'a\u2028b',
      'a\u009bb',
    ]
    for (const name of ['', '   ', 'x'.repeat(201), 7 as unknown as string, ...hidden]) {
      const { details } = await rejected(createTenant(fixture.operator(), { name }), 'INVALID_PARAMETERS')
      expect(details?.issues?.[0]?.path).to.equal('name')
    }
    const provision = provisionTenant(fixture.scope(user('namer')), { name: 'a\u202eb' })
    await rejected(provision, 'INVALID_PARAMETERS')
    expect(await listTenants(fixture.operator())).to.have.length(before)
  })

  it('cannot be created on an unknown plan, and the error names the plan', async () => {
    const error = await rejected(
      createTenant(fixture.operator(), { name: 'A', plan: 'none' }),
      'INVALID_PARAMETERS',
    )
    expect(error.message).to.equal('No plan has the name none.')
  })

  it('give an error with the id if they do not exist, whatever the id looks like', async () => {
    for (const tenantId of ['01a00000-0000-7000-8000-000000000000', 'nonsense', '']) {
      const attempts = [
        () => findTenant(fixture.operatorFor(tenantId)),
        () => setTenantEnabled(fixture.operatorFor(tenantId), { enabled: false }),
        () => renameTenant(fixture.operatorFor(tenantId), { name: 'B' }),
      ]
      for (const attempt of attempts) {
        const error = await rejected(attempt(), 'INVALID_PARAMETERS')
        expect(error.message).to.equal(`No tenant has the id ${tenantId}.`)
      }
    }
  })

  it('can be disabled, twice too, and enabled again, with one audit event for each change', async () => {
    const { id: tenantId } = await createTenant(fixture.operator(), { name: 'A' })
    const disabled = await setTenantEnabled(fixture.operatorFor(tenantId), { enabled: false })
    expect(disabled.enabled).to.equal(false)
    await setTenantEnabled(fixture.operatorFor(tenantId), { enabled: false })
    expect((await setTenantEnabled(fixture.operatorFor(tenantId), { enabled: true })).enabled).to.equal(true)
    expect(await actions(tenantId)).to.have.members(['tenant.create', 'tenant.disable', 'tenant.enable'])
  })

  it('record who renamed them, from which address, and the previous name', async () => {
    const { id: tenantId } = await createTenant(fixture.operator(), { name: 'Old' })
    await storeOwner(fixture.operator(), tenantId)
    await renameTenant(fixture.scope(owner(tenantId)), { name: 'New' })
    await renameTenant(fixture.scope(owner(tenantId)), { name: 'New' })
    const { items } = await listAuditEvents(fixture.operatorFor(tenantId))
    const renames = items.filter(event => event.action === 'tenant.rename')
    expect(renames).to.have.length(1)
    expect(renames[0]).to.deep.include({
      actorKind: 'member',
      actorIssuer: memberIssuer,
      actorSubject: 'olivia',
      actorIp: '203.0.113.9',
      target: tenantId,
      changes: { from: 'Old', to: 'New' },
    })
  })

  it('are provisioned once for ten concurrent calls of a user', async () => {
    const before = (await listTenants(fixture.operator())).length
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        provisionTenant(fixture.scope(user('eager')), { name: `Eager ${index}` }),
      ),
    )
    expect(results.filter(result => result.status === 'fulfilled')).to.have.length(1)
    for (const result of results) {
      if (result.status === 'rejected') await rejected(Promise.reject(result.reason), 'NOT_PROVISIONED')
    }
    expect(await listTenants(fixture.operator())).to.have.length(before + 1)
  })

  it('are provisioned at most three times by one user, whatever became of the memberships', async () => {
    const provision = (name: string) => provisionTenant(fixture.scope(user('looper')), { name })
    for (let round = 1; round <= 3; round++) {
      const { id: tenantId } = await provision(`Round ${round}`)
      await rejected(provision('Too early'), round < 3 ? 'NOT_PROVISIONED' : 'FORBIDDEN')
      // Hands the tenant over to an accomplice who accepts, and leaves it.
      const { code } = await createInvitation(fixture.scope(owner(tenantId, 'looper')), { role: 'owner' })
      await acceptInvitation(fixture.scope(user(`accomplice ${round}`)), { code })
      if (round === 1) await removeMember(fixture.scope(owner(tenantId, 'looper')), { subject: 'looper' })
      else await leaveTenant(fixture.scope(owner(tenantId, 'looper')))
    }
    const { message } = await rejected(provision('Round 4'), 'FORBIDDEN')
    expect(message).to.include('3 of 3 tenants')
  })

  it('cannot be abandoned to an owner who never signed in, in order to provision another', async () => {
    const scope = fixture.scope(user('abandoner'))
    const { id: tenantId } = await provisionTenant(scope, { name: 'First' })
    await addMember(fixture.operatorFor(tenantId), { subject: 'nobody', role: 'owner' })
    const self = fixture.scope(owner(tenantId, 'abandoner'))
    await rejected(removeMember(self, { subject: 'abandoner' }), 'FORBIDDEN')
    await rejected(leaveTenant(self), 'FORBIDDEN')
    await rejected(provisionTenant(fixture.scope(user('abandoner')), { name: 'Second' }), 'NOT_PROVISIONED')
  })

  it('can be provisioned by a user with an invitation that they have not accepted, but not by a member', async () => {
    const { id: tenantId } = await createTenant(fixture.operator(), { name: 'Host' })
    await storeOwner(fixture.operator(), tenantId)
    const { code } = await createInvitation(fixture.scope(owner(tenantId)), { role: 'viewer' })
    await getInvitation(fixture.scope(user('guest')), { code })
    await provisionTenant(fixture.scope(user('guest')), { name: 'Own' })
    await acceptInvitation(fixture.scope(user('member')), { code })
    await rejected(provisionTenant(fixture.scope(user('member')), { name: 'Own' }), 'NOT_PROVISIONED')
  })

  it('cannot be provisioned by users while provisioning is closed, but by the operator', async () => {
    const open = fixture.scope(user('closed out'))
    const closed = { ...open, rules: { ...open.rules, provisioningOpen: false } }
    const before = (await listTenants(fixture.operator())).length
    const { message } = await rejected(provisionTenant(closed, { name: 'Own' }), 'FORBIDDEN')
    expect(message).to.include('operator')
    expect(await provisioningState(closed, closed.em)).to.equal('closed')
    expect(await listTenants(fixture.operator())).to.have.length(before)
    for (let count = 0; count < 4; count++) await createTenant(fixture.operator(), { name: 'Operated' })
  })
})
