import { expect } from 'chai'
import { addMember } from '#domain/member/add-member.ts'
import { errorOf } from './call.ts'
import { useConsoleServer } from './console-server.ts'
import { addTestTenant } from './tenants.ts'

describe('tenants of a console user', () => {
  const server = useConsoleServer()

  async function addTwoTenantsOf(subject: string) {
    const tenants = [await addTestTenant(server, 'Tavern'), await addTestTenant(server, 'Brewery')] as const
    for (const [index, { tenantId }] of tenants.entries()) {
      const role = index === 0 ? 'owner' : 'viewer'
      await addMember(server.createScope({ kind: 'operator', tenantId }), { subject, role })
    }
    return tenants
  }

  it('a user provisions a test tenant beside a live one, and then no other', async () => {
    const client = await server.client('tester')
    expect(await client.session.me.query()).to.include({ testTenants: 'allowed' })
    const live = await client.tenant.provision.mutate({ name: 'Inn' })
    const test = await client.tenant.provision.mutate({ name: 'Inn, test', test: true })
    expect([live.test, test.test]).to.deep.equal([false, true])
    const { memberships } = await client.session.me.query()
    expect(memberships.map(membership => membership.test)).to.have.members([false, true])
    for (const kind of [false, true]) {
      const again = client.tenant.provision.mutate({ name: 'Another', test: kind })
      expect(await errorOf(again)).to.include({ error: 'NOT_PROVISIONED' })
    }
  })

  it('a new user provisions a tenant and becomes its owner', async () => {
    const client = await server.client('newcomer')
    expect(await client.session.me.query()).to.deep.include({ subject: 'newcomer', memberships: [] })
    const { tenantId, ...tenant } = await client.tenant.provision.mutate({ name: ' Tavern ' })
    const access = { enabled: true, plan: 'default', subscription: 'active', test: false }
    expect(tenant).to.deep.equal({ name: 'Tavern', ...access })
    const rights = ['read', 'keys', 'settings', 'tokens', 'members', 'tenant']
    const membership = { tenantId, tenantName: 'Tavern', role: 'owner', rights, enabled: true, test: false }
    expect((await client.session.me.query()).memberships).to.deep.equal([membership])
    expect(await client.tenant.update.mutate({ name: 'Inn' })).to.include({ tenantId, name: 'Inn' })
    expect(await client.tenant.get.query()).to.include({ tenantId, name: 'Inn', retentionDays: 400 })
    const { items } = await client.audit.list.query()
    expect(items.map(({ action }) => action)).to.include.members(['tenant.provision', 'member.add'])
    const { issuer } = server.signIn
    const by = { actor: 'newcomer', actorKind: 'member', actorIssuer: issuer, actorIp: '203.0.113.7' }
    for (const item of items) expect(item).to.include(by)
  })

  it('the audit log tells an operator from a user with the subject "operator", and names no system user or person', async () => {
    const { tenantId } = await addTestTenant(server)
    const operator = server.createScope({ kind: 'operator', tenantId, osUser: 'root', person: 'alice' })
    await addMember(operator, { subject: 'operator', role: 'owner' })
    const client = await server.client('operator')
    await client.tenant.update.mutate({ name: 'Inn' })
    const { items } = await client.audit.list.query()
    const actorOf = (action: string) => {
      const { actor, actorName, actorKind, actorIssuer } = items.find(item => item.action === action)!
      return { actor, actorName, actorKind, actorIssuer }
    }
    const unnamed = { actor: 'operator', actorName: null }
    const member = { ...unnamed, actorKind: 'member', actorIssuer: server.signIn.issuer }
    expect(actorOf('tenant.rename')).to.deep.equal(member)
    expect(actorOf('member.add')).to.deep.equal({ ...unnamed, actorKind: 'operator', actorIssuer: null })
    const authorization = `Bearer ${await server.signIn.sign({ sub: 'operator' })}`
    const exported = await (await server.fetch('exports/audit.csv', { headers: { authorization } })).text()
    expect(exported).to.include('member.add,operator')
    expect(`${JSON.stringify(items)} ${exported}`).not.to.match(/root|alice/)
  })

  it('a member of several tenants must select one, and has the role of the selected one', async () => {
    const [tavern, brewery] = await addTwoTenantsOf('both')
    const { error, message } = await errorOf((await server.client('both')).tenant.get.query())
    expect(error).to.equal('INVALID_PARAMETERS')
    expect(message).to.include('x-tenant-id')
    const inTavern = await server.client('both', tavern.tenantId)
    const inBrewery = await server.client('both', brewery.tenantId.toUpperCase())
    expect(await inTavern.tenant.update.mutate({ name: 'Inn' })).to.include({ name: 'Inn' })
    expect((await errorOf(inBrewery.tenant.update.mutate({ name: 'Inn' }))).error).to.equal('FORBIDDEN')
    expect(await inBrewery.tenant.get.query()).to.include({ name: 'Brewery' })
  })

  it('removing a member or changing a role takes effect immediately', async () => {
    const tenant = await addTestTenant(server)
    const owner = await server.client(tenant.owner)
    const developer = await server.client(tenant.developer)
    await owner.members.setRole.mutate({ subject: tenant.developer, role: 'viewer' })
    expect((await errorOf(developer.apiKeys.create.mutate({ name: 'Web shop' }))).error).to.equal('FORBIDDEN')
    await owner.members.remove.mutate({ subject: tenant.developer })
    expect((await errorOf(developer.tenant.get.query())).error).to.equal('TENANT_NOT_PROVISIONED')
  })
})
