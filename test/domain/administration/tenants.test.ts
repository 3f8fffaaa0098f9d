import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { listMemberships } from '#domain/member/list-memberships.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { listPlans } from '#domain/plan/list-plans.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getTenant } from '#domain/tenant/get-tenant.ts'
import { listTenants } from '#domain/tenant/list-tenants.ts'
import { provisionTenant } from '#domain/tenant/provision-tenant.ts'
import { renameTenant } from '#domain/tenant/rename-tenant.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { type Administration, memberIssuer, openAdministration, owner, user } from './administration.ts'
import { refused } from './rejected.ts'

describe('tenants', () => {
  let here: Administration
  before(async () => {
    here = await openAdministration()
  })
  after(() => here.close())
  beforeEach(() => here.announced.splice(0))

  const actions = async (tenantId: string) =>
    (await listAuditEvents(here.operator(), { tenantId })).items.map(event => event.action)

  it('starts provisioned, enabled, paid for and on the default plan', async () => {
    const { id } = await createTenant(here.operator(), { name: '  Corner Shop ' })
    const tenant = await getTenant(here.operator(), { tenantId: id })
    expect(tenant).to.include({
      name: 'Corner Shop',
      subscription: 'active',
      enabled: true,
      webhookUrl: null,
    })
    expect(tenant.provisionedAt).to.deep.equal(here.time.now)
    expect(tenant.plan).to.include({
      ...{ name: 'default', rateLimitPerMinute: 60, readRateLimitPerMinute: 6_000 },
      ...{ monthlyQuota: 10_000, hardLimit: 20_000, overage: false },
    })
    expect((await listTenants(here.operator())).map(listed => listed.id)).to.include(id)
    expect(await actions(id)).to.deep.equal(['tenant.create'])
  })

  for (const name of ['', '   ', 'x'.repeat(201), 'a\0b', 'a\nb', '\ud800', 7 as unknown as string]) {
    it(`refuses the name ${JSON.stringify(name).slice(0, 20)} and makes nothing`, async () => {
      const before = (await listTenants(here.operator())).length
      const refusal = await refused(createTenant(here.operator(), { name }), 'INVALID_PARAMETERS')
      expect(refusal.details?.issues?.[0]?.path).to.equal('name')
      expect(await listTenants(here.operator())).to.have.length(before)
    })
  }

  it('refuses an unknown plan by its name', async () => {
    const refusal = await refused(
      createTenant(here.operator(), { name: 'A', plan: 'none' }),
      'INVALID_PARAMETERS',
    )
    expect(refusal.message).to.equal('No plan has the name none.')
  })

  it('names the id that no tenant has, whatever the id looks like', async () => {
    for (const tenantId of ['01a00000-0000-7000-8000-000000000000', 'nonsense', '']) {
      const attempts = [
        () => getTenant(here.operator(), { tenantId }),
        () => setTenantEnabled(here.operator(), { tenantId, enabled: false }),
        () => renameTenant(here.operator(), { tenantId, name: 'B' }),
      ]
      for (const attempt of attempts) {
        const refusal = await refused(attempt(), 'INVALID_PARAMETERS')
        expect(refusal.message).to.equal(`No tenant has the id ${tenantId}.`)
      }
    }
  })

  it('announces a disabled tenant after it is stored, and again when it is disabled again', async () => {
    const { id: tenantId } = await createTenant(here.operator(), { name: 'A' })
    const disabled = await setTenantEnabled(here.operator(), { tenantId, enabled: false })
    expect(disabled.enabled).to.equal(false)
    await setTenantEnabled(here.operator(), { tenantId, enabled: false })
    expect(here.announced).to.deep.equal([tenantId, tenantId])
    expect((await setTenantEnabled(here.operator(), { tenantId, enabled: true })).enabled).to.equal(true)
    expect(await actions(tenantId)).to.have.members(['tenant.create', 'tenant.disable', 'tenant.enable'])
  })

  it('announces a change of subscription, and refuses a state that there is not', async () => {
    const { id: tenantId } = await createTenant(here.operator(), { name: 'A' })
    const changed = await setSubscription(here.operator(), { tenantId, state: 'inactive' })
    expect(changed.subscription).to.equal('inactive')
    expect((await getTenant(here.operator(), { tenantId })).subscription).to.equal('inactive')
    expect(here.announced).to.deep.equal([tenantId])
    const state = 'paused' as 'active'
    await refused(setSubscription(here.operator(), { tenantId, state }), 'INVALID_PARAMETERS')
  })

  it('puts a tenant on another plan, and announces it', async () => {
    await definePlan(here.operator(), { name: 'large', monthlyQuota: 7 })
    const { id: tenantId } = await createTenant(here.operator(), { name: 'A' })
    here.announced.splice(0)
    await setTenantPlan(here.operator(), { tenantId, plan: 'large' })
    expect((await getTenant(here.operator(), { tenantId })).plan.monthlyQuota).to.equal(7)
    expect(here.announced).to.deep.equal([tenantId])
    await refused(setTenantPlan(here.operator(), { tenantId, plan: 'none' }), 'INVALID_PARAMETERS')
  })

  it('tells who renamed a tenant, from where, and what it was called', async () => {
    const { id: tenantId } = await createTenant(here.operator(), { name: 'Old' })
    await renameTenant(here.scope(owner(tenantId)), { tenantId, name: 'New' })
    await renameTenant(here.scope(owner(tenantId)), { tenantId, name: 'New' })
    const { items } = await listAuditEvents(here.operator(), { tenantId })
    const renames = items.filter(event => event.action === 'tenant.rename')
    expect(renames).to.have.length(1)
    expect(renames[0]).to.deep.include({
      ...{ actor: 'olivia', actorIp: '203.0.113.9', target: tenantId, changes: { from: 'Old', to: 'New' } },
    })
  })

  it('makes the user who provisions a tenant its owner', async () => {
    const tenant = await provisionTenant(here.scope(user('nora')), { name: 'Nora' })
    const memberships = await listMemberships(here.operator(), { issuer: memberIssuer, subject: 'nora' })
    expect(memberships).to.deep.equal([
      { tenantId: tenant.id, tenantName: 'Nora', role: 'owner', enabled: true },
    ])
    expect(tenant).to.include({ subscription: 'active' })
    expect(tenant.plan.name).to.equal('default')
    expect(await actions(tenant.id)).to.have.members(['tenant.provision', 'member.add'])
  })

  it('provisions one tenant for a user who asks ten times at once', async () => {
    const before = (await listTenants(here.operator())).length
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        provisionTenant(here.scope(user('eager')), { name: `Eager ${index}` }),
      ),
    )
    expect(answers.filter(answer => answer.status === 'fulfilled')).to.have.length(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') await refused(Promise.reject(answer.reason), 'NOT_PROVISIONED')
    }
    expect(await listTenants(here.operator())).to.have.length(before + 1)
  })

  it('gives two users of the same subject at different sign-in providers a tenant each', async () => {
    await provisionTenant(here.scope(user('same')), { name: 'A' })
    await provisionTenant(here.scope({ ...user('same'), issuer: 'https://other.example.com' }), { name: 'B' })
    expect(await listMemberships(here.operator(), { issuer: memberIssuer, subject: 'same' })).to.have.length(
      1,
    )
  })

  it('keeps the values of a plan that are not named, and takes those of the default plan for a new one', async () => {
    await definePlan(here.operator(), { name: 'default', monthlyQuota: 123 })
    const made = await definePlan(here.operator(), { name: 'kept', hardLimit: 9, overage: true })
    expect(made).to.include({ monthlyQuota: 123, hardLimit: 9, overage: true, rateLimitPerMinute: 60 })
    await definePlan(here.operator(), { name: 'kept', rateLimitPerMinute: 5 })
    const kept = (await listPlans(here.operator())).find(plan => plan.name === 'kept')
    expect(kept).to.include({ monthlyQuota: 123, hardLimit: 9, overage: true, rateLimitPerMinute: 5 })
    await definePlan(here.operator(), { name: 'default', monthlyQuota: 10_000 })
    expect(here.announced).to.deep.equal(['*', '*', '*', '*'])
  })

  for (const [path, value] of [
    ['rateLimitPerMinute', 0],
    ['monthlyQuota', -1],
    ['hardLimit', 2 ** 31],
    ['readRateLimitPerMinute', 1.5],
    ['monthlyQuota', Number.NaN],
  ] as const) {
    it(`refuses a plan whose ${path} is ${value}`, async () => {
      const refusal = await refused(
        definePlan(here.operator(), { name: 'bad', [path]: value }),
        'INVALID_PARAMETERS',
      )
      expect(refusal.details?.issues?.[0]?.path).to.equal(path)
      expect((await listPlans(here.operator())).map(plan => plan.name)).not.to.include('bad')
    })
  }
})
