import { expect } from 'chai'
import { errorOf } from './call.ts'
import { useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

describe('membership of console users', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  beforeEach(async () => {
    server.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenant = await addTestTenant(server)
  })

  const tenantsOf = async (subject: string) =>
    (await (await server.client(subject)).session.me.query()).memberships.map(({ tenantId }) => tenantId)

  it('an invited user sees tenant, role, inviter and expiry, and has access from the acceptance on', async () => {
    const owner = await server.client(tenant.owner)
    const guest = await server.client(`guest of ${tenant.tenantId}`)
    const { code, ...invited } = await owner.members.invite.mutate({
      role: 'developer',
      note: 'Till 2',
    })
    const expiresAt = '2026-11-27T12:00:00.000Z'
    expect(invited).to.include({ role: 'developer', note: 'Till 2', inviter: tenant.owner, expiresAt })
    const { items, nextCursor } = await owner.members.listInvitations.query()
    expect(items.map(({ invitationId }) => invitationId)).to.include(invited.invitationId)
    expect(nextCursor).to.equal(null)
    expect(await guest.session.invitation.mutate({ code })).to.deep.equal({
      tenantName: 'Tavern',
      role: 'developer',
      inviter: tenant.owner,
      inviterName: null,
      expiresAt,
    })
    expect((await errorOf(guest.tenant.get.query())).error).to.equal('TENANT_NOT_PROVISIONED')
    const { tenantId } = tenant
    expect(await guest.session.acceptInvitation.mutate({ code })).to.deep.equal({
      tenantId,
      role: 'developer',
    })
    expect(await guest.tenant.get.query()).to.include({ tenantId })
    const { items: members, requiredOwner } = await owner.members.list.query()
    expect(requiredOwner).to.deep.equal({ subject: tenant.owner, issuer: server.signIn.issuer })
    expect(members).to.deep.include({
      subject: `guest of ${tenantId}`,
      issuer: server.signIn.issuer,
      role: 'developer',
      addedAt: '2026-11-20T12:00:00.000Z',
      lastSeenAt: '2026-11-20T12:00:00.000Z',
      name: null,
      email: null,
      isCaller: false,
    })
    const { items: events } = await owner.audit.list.query()
    const actions = events.map(({ action, actor }) => [action, actor])
    expect(actions).to.deep.include.members([
      ['invitation.create', tenant.owner],
      ['invitation.accept', `guest of ${tenantId}`],
    ])
  })

  it('nobody becomes a member by a call of the console in which they take no part', async () => {
    const owner = await server.client(tenant.owner)
    const add = (owner as unknown as { members: { add: { mutate(input: object): Promise<unknown> } } })
      .members.add
    expect(await errorOf(add.mutate({ subject: 'victim', role: 'owner' }))).to.include({
      error: 'ROUTE_NOT_FOUND',
      httpStatus: 404,
    })
    const unknown = await errorOf(owner.members.setRole.mutate({ subject: 'victim', role: 'owner' }))
    expect(unknown.error).to.equal('INVALID_PARAMETERS')
    expect(await tenantsOf('victim')).to.deep.equal([])
  })

  it('a user of many tenants with long names gets all of them, in pages that stay within the bound of a response', async () => {
    const subject = `busy in ${tenant.tenantId}`
    await server.database.orm.em.fork().execute(
      `with added as (
         insert into tenant (id, name, plan_name, subscription, created_at)
         select gen_random_uuid(), repeat('名', 200), 'default', 'active', now() from generate_series(1, 200)
         returning id
       )
       insert into member (tenant_id, issuer, subject, id, role, added_at)
       select id, ?, ?, gen_random_uuid(), 'owner', now() from added`,
      [server.signIn.issuer, subject],
    )
    const client = await server.client(subject)
    const me = await client.session.me.query()
    const pages = [me.memberships]
    for (let cursor = me.nextMemberships; cursor; ) {
      const page = await client.session.memberships.query({ limit: 100, cursor })
      pages.push(page.items)
      cursor = page.nextCursor
    }
    expect(new Set(pages.flat().map(({ tenantId }) => tenantId)).size).to.equal(200)
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).to.be.below(60 * 1024)
    const selected = await server.client(subject, pages.flat().at(-1)?.tenantId)
    expect(await selected.tenant.get.query()).to.include({ name: '名'.repeat(200) })
    expect((await errorOf(client.tenant.get.query())).error).to.equal('INVALID_PARAMETERS')
    const stranger = await server.client(subject, tenant.tenantId)
    expect((await errorOf(stranger.tenant.get.query())).error).to.equal('TENANT_NOT_PROVISIONED')
  })
})

describe('a console whose operator has closed provisioning', () => {
  const server = useConsoleServer({}, { provisioningOpen: false })

  it('returns 403 to users who provision a tenant, and says so beforehand', async () => {
    const client = await server.client('newcomer')
    expect((await client.session.me.query()).provisioning).to.equal('closed')
    const response = await client.tenant.provision.mutate({ name: 'Own' }).catch(error => error.data)
    expect(response).to.include({ error: 'FORBIDDEN', httpStatus: 403 })
    expect((await client.session.me.query()).memberships).to.deep.equal([])
  })
})
