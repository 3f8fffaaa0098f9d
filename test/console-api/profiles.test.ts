import { expect } from 'chai'
import { addMember } from '#domain/member/add-member.ts'
import { type ConsoleServer, useConsoleServer } from './console-server.ts'
import { clientId, newSigningKey } from './sign-in-provider.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

describe('the names of members', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  let client: Awaited<ReturnType<ConsoleServer['client']>>
  beforeEach(async () => {
    tenant = await addTestTenant(server)
    client = await server.client(tenant.owner)
  })

  const idToken = (claims: Record<string, unknown>) =>
    server.signIn.sign({ sub: tenant.owner, aud: clientId, ...claims })
  const save = async (claims: Record<string, unknown>) =>
    await client.session.saveProfile.mutate({ idToken: await idToken(claims) })
  const storedProfile = async () => (await client.session.me.query()).storedProfile
  const ann = { name: 'Ann Lee', email: 'ann@example.com' }

  it('come from the ID token of their sign-in, and are shown to other members with what they did', async () => {
    expect(await storedProfile()).to.equal(null)
    expect(await save({ ...ann, email_verified: true })).to.deep.equal(ann)
    expect(await storedProfile()).to.deep.equal(ann)
    const { code, invitationId } = await client.members.invite.mutate({ role: 'viewer', validForDays: 30 })
    const viewer = await server.client(tenant.viewer)
    const { items: members } = await viewer.members.list.query()
    const shown = members.map(({ subject, name, email, isCaller }) => ({ subject, name, email, isCaller }))
    const nameless = { name: null, email: null }
    expect(shown).to.have.deep.members([
      { subject: tenant.owner, ...ann, isCaller: false },
      { subject: tenant.developer, ...nameless, isCaller: false },
      { subject: tenant.viewer, ...nameless, isCaller: true },
    ])
    const { items: invitations } = await viewer.members.listInvitations.query()
    expect(invitations.find(each => each.invitationId === invitationId)).to.include({
      inviter: tenant.owner,
      inviterName: 'Ann Lee',
      expiresAt: '2026-12-20T12:00:00.000Z',
    })
    const guest = await server.client(`guest of ${tenant.tenantId}`)
    expect(await guest.session.invitation.mutate({ code })).to.include({ inviterName: 'Ann Lee' })
    const { items: events } = await viewer.audit.list.query({ actor: tenant.owner })
    expect(events).to.have.length(1)
    expect(events[0]).to.include({ actor: tenant.owner, actorName: 'Ann Lee' })
  })

  it('are gone when the member is, of whom the audit log keeps the name', async () => {
    await save(ann)
    const rowsOf = async (table: string) => {
      const select = `select * from ${table} where tenant_id = ?`
      return JSON.stringify(await server.database.orm.em.fork().execute(select, [tenant.tenantId]))
    }
    const scope = server.createScope({ kind: 'operator', tenantId: tenant.tenantId })
    await addMember(scope, { subject: tenant.developer, role: 'owner' })
    const developer = await server.client(tenant.developer)
    await developer.session.me.query()
    expect(await rowsOf('member')).to.include('Ann Lee')
    await client.members.leave.mutate()
    expect(await rowsOf('member')).not.to.match(/Ann Lee|ann@example/)
    expect(await rowsOf('audit_event')).not.to.contain('ann@example')
    const { items } = await developer.audit.list.query({ actor: tenant.owner })
    expect(items.map(({ actorName }) => actorName)).to.deep.equal(['Ann Lee (former member)'])
  })

  it('have no hidden characters and a limited length, and no address that the issuer says is not theirs', async () => {
    expect(await save({ name: ' A\u202enn\n\u0007Lee ', email: `${'a'.repeat(400)}` })).to.deep.equal({
      name: 'AnnLee',
      email: 'a'.repeat(320),
    })
    const long = await save({ name: '😀'.repeat(300), email: 'ann@example.com', email_verified: false })
    expect(long).to.deep.equal({ name: '😀'.repeat(200), email: null })
    expect(await save({ name: '\u200b', email: 7 })).to.deep.equal({ name: null, email: null })
    expect(await storedProfile()).to.equal(null)
  })

  it('are not stored from a token that is not an ID token of the caller for the dashboard', async () => {
    const stranger = await newSigningKey('RS256')
    const tokens = {
      'another user': await idToken({ sub: tenant.viewer }),
      'another audience': await idToken({ aud: 'console' }),
      'several audiences without an authorized party': await idToken({ aud: [clientId, 'other'] }),
      'another authorized party': await idToken({ azp: 'other' }),
      'another issuer': await idToken({ iss: 'https://other.example.com' }),
      'a past expiry': await idToken({ exp: 1 }),
      'another key': await server.signIn.sign({ sub: tenant.owner, aud: clientId, ...ann }, stranger),
      'the type of access tokens': await server.signIn.sign(
        { sub: tenant.owner, aud: clientId },
        server.signIn.key,
        'at+jwt',
      ),
      'the form of a logout token': await idToken({ events: {} }),
      'no form at all': 'nonsense',
    }
    for (const [fault, token] of Object.entries(tokens)) {
      const error = await client.session.saveProfile.mutate({ idToken: token }).catch(reason => reason)
      expect(error.data, fault).to.include({ error: 'INVALID_PARAMETERS', httpStatus: 400 })
      expect(error.data.details.issues[0], fault).to.include({ path: 'idToken' })
      expect(JSON.stringify(error), fault).not.to.include(token)
    }
    expect(await storedProfile()).to.equal(null)
    expect(await save({ aud: [clientId, 'other'], azp: clientId, ...ann })).to.deep.equal(ann)
  })
})
