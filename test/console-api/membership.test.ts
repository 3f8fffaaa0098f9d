import { TRPCClientError } from '@trpc/client'
import { expect } from 'chai'
import { failuresInWaves } from '../harness/in-waves.ts'
import { type ConsoleServer, startConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

const week = 7 * 24 * 60 * 60 * 1000

describe('membership of console users', () => {
  let server: ConsoleServer
  let tenant: TestTenant
  before(async () => {
    server = await startConsoleServer()
  })
  after(() => server.close())
  beforeEach(async () => {
    server.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenant = await addTestTenant(server)
  })

  async function errorOf(
    call: Promise<unknown>,
  ): Promise<{ error: string; httpStatus: number; message: string }> {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof TRPCClientError)) throw new Error('The call succeeded.')
    const { error: code, httpStatus } = error.data
    return { error: code, httpStatus, message: error.message }
  }

  const tenantsOf = async (subject: string) =>
    (await (await server.client(subject)).session.me.query()).memberships.map(({ tenantId }) => tenantId)

  it('an invited user sees tenant, role, inviter and expiry, and has access from the acceptance on', async () => {
    const owner = await server.client(tenant.owner)
    const guest = await server.client(`guest of ${tenant.tenantId}`)
    const { code, ...invited } = await owner.members.invite.mutate({ role: 'developer' })
    const expiresAt = '2026-11-27T12:00:00.000Z'
    expect(invited).to.include({ role: 'developer', inviter: tenant.owner, expiresAt })
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
    const { items: members } = await owner.members.list.query()
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

  it('a code works for one of twenty users who accept it concurrently', async () => {
    const { invitationCode: code, tenantId } = tenant
    const guests = await Promise.all(
      Array.from({ length: 20 }, (_, index) => server.client(`guest ${index} of ${tenantId}`)),
    )
    const results = await Promise.allSettled(
      guests.map(guest => guest.session.acceptInvitation.mutate({ code })),
    )
    const failed = results.filter(result => result.status === 'rejected')
    expect(failed).to.have.lengthOf(19)
    for (const { reason } of failed) {
      expect(reason.data).to.include({ error: 'NOT_PROVISIONED', httpStatus: 409 })
    }
  })

  it('a spent, revoked, expired or unknown code returns 409 with its reason', async () => {
    const owner = await server.client(tenant.owner)
    const codes = await Promise.all(
      ['spent', 'revoked', 'expired'].map(async reason => ({
        reason,
        ...(await owner.members.invite.mutate({ role: 'viewer' })),
      })),
    )
    const [spent, revoked] = codes
    await (await server.client(`first of ${tenant.tenantId}`)).session.acceptInvitation.mutate({
      code: spent!.code,
    })
    await owner.members.revokeInvitation.mutate({ invitationId: revoked!.invitationId })
    server.time.now = new Date(server.time.now.getTime() + week)
    const late = await server.client(`late to ${tenant.tenantId}`)
    const words = [/already accepted/, /revoked/, /expired/, /does not exist/]
    for (const [index, code] of [...codes.map(each => each.code), 'unknown'].entries()) {
      for (const call of [
        () => late.session.invitation.mutate({ code }),
        () => late.session.acceptInvitation.mutate({ code }),
      ]) {
        const { message, ...error } = await errorOf(call())
        expect(error).to.deep.equal({ error: 'NOT_PROVISIONED', httpStatus: 409 })
        expect(message).to.match(words[index]!)
      }
    }
    expect(await tenantsOf(`late to ${tenant.tenantId}`)).to.deep.equal([])
  })

  it('an invitation changes nothing for a user who has not accepted it', async () => {
    const subject = `busy ${tenant.tenantId}`
    const busy = await server.client(subject)
    const { tenantId } = await busy.tenant.provision.mutate({ name: 'Own' })
    await busy.session.invitation.mutate({ code: tenant.invitationCode })
    // Programs that send no x-tenant-id keep working.
    expect(await busy.tenant.get.query()).to.include({ tenantId })
    expect(await tenantsOf(subject)).to.deep.equal([tenantId])
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

  it('members of every role can leave, and can provision a tenant afterwards', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      const member = await server.client(tenant[role])
      expect((await errorOf(member.tenant.provision.mutate({ name: 'Own' }))).error).to.equal(
        'NOT_PROVISIONED',
      )
      expect(await member.members.leave.mutate()).to.deep.equal({ tenantId: tenant.tenantId })
      expect(await tenantsOf(tenant[role])).to.deep.equal([])
      await member.tenant.provision.mutate({ name: 'Own' })
    }
  })

  it('a user provisions three tenants and no more, by whatever they do in between', async () => {
    const subject = `looper ${tenant.tenantId}`
    const looper = await server.client(subject)
    for (let round = 1; round <= 3; round++) {
      expect((await looper.session.me.query()).provisioning).to.equal('open')
      await looper.tenant.provision.mutate({ name: `Round ${round}` })
      const { code } = await looper.members.invite.mutate({ role: 'owner' })
      await (await server.client(`${subject} ${round}`)).session.acceptInvitation.mutate({ code })
      if (round % 2) await looper.members.remove.mutate({ subject })
      else await looper.members.leave.mutate()
    }
    expect((await looper.session.me.query()).provisioning).to.equal('limit_reached')
    const { message, ...error } = await errorOf(looper.tenant.provision.mutate({ name: 'Round 4' }))
    expect(error).to.deep.equal({ error: 'FORBIDDEN', httpStatus: 403 })
    expect(message).to.include('3 of 3 tenants')
  })

  it('110 calls, 20 of them at a time, create keys up to the maximum of 100', async () => {
    const { apiKeyId } = tenant
    const developer = await server.client(tenant.developer)
    const failures = await failuresInWaves(110, index =>
      developer.apiKeys.create.mutate({ name: `Key ${index}` }),
    )
    expect(failures).to.have.lengthOf(11)
    for (const { data } of failures as { data: unknown }[]) {
      expect(data).to.include({ error: 'NOT_PROVISIONED', httpStatus: 409 })
    }
    const pages = [await developer.apiKeys.list.query({ limit: 60 })]
    pages.push(await developer.apiKeys.list.query({ limit: 60, cursor: pages[0]!.nextCursor }))
    expect(pages.map(({ items }) => items.length)).to.deep.equal([60, 40])
    expect(pages[1]!.nextCursor).to.equal(null)
    const ids = pages.flatMap(({ items }) => items.map(item => item.apiKeyId))
    expect(new Set(ids).size).to.equal(100)
    expect(ids).to.include(apiKeyId)
    expect((await developer.apiKeys.list.query()).items).to.have.lengthOf(50)
  })

  it('members are listed in pages, oldest first', async () => {
    const owner = await server.client(tenant.owner)
    const first = await owner.members.list.query({ limit: 2 })
    const second = await owner.members.list.query({ limit: 2, cursor: first.nextCursor })
    const subjects = [...first.items, ...second.items].map(({ subject }) => subject)
    expect(subjects).to.have.members([tenant.owner, tenant.developer, tenant.viewer])
    expect(second.nextCursor).to.equal(null)
    const tooMany = await errorOf(owner.members.list.query({ limit: 101 }))
    expect(tooMany.error).to.equal('INVALID_PARAMETERS')
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

  it('an owner of a former sign-in provider is listed with the issuer, does not count, and can be removed', async () => {
    const { orm } = server.database
    const issuer = 'https://former.example.com'
    await orm.em.fork().execute(
      `insert into member (tenant_id, issuer, subject, id, role, added_at, last_seen_at)
       values (?, ?, 'former', gen_random_uuid(), 'owner', now(), now())`,
      [tenant.tenantId, issuer],
    )
    const owner = await server.client(tenant.owner)
    expect((await errorOf(owner.members.leave.mutate())).error).to.equal('FORBIDDEN')
    const { items } = await owner.members.list.query()
    expect(items.find(({ subject }) => subject === 'former')).to.include({ issuer, role: 'owner' })
    await owner.members.remove.mutate({ subject: 'former', issuer })
    expect((await owner.members.list.query()).items.map(({ subject }) => subject)).not.to.include('former')
  })
})

describe('a console whose operator has closed provisioning', () => {
  let server: ConsoleServer
  before(async () => {
    server = await startConsoleServer({}, { provisioningOpen: false })
  })
  after(() => server.close())

  it('returns 403 to users who provision a tenant, and says so beforehand', async () => {
    const client = await server.client('newcomer')
    expect((await client.session.me.query()).provisioning).to.equal('closed')
    const response = await client.tenant.provision.mutate({ name: 'Own' }).catch(error => error.data)
    expect(response).to.include({ error: 'FORBIDDEN', httpStatus: 403 })
    expect((await client.session.me.query()).memberships).to.deep.equal([])
  })

  it('lets users accept invitations', async () => {
    const tenant = await addTestTenant(server)
    const client = await server.client('newcomer')
    await client.session.acceptInvitation.mutate({ code: tenant.invitationCode })
    expect(await client.tenant.get.query()).to.include({ tenantId: tenant.tenantId })
  })
})
