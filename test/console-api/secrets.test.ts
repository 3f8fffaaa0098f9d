import { expect } from 'chai'
import { call } from './call.ts'
import { type ConsoleServer, useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

describe('secrets in the console', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  let client: Awaited<ReturnType<ConsoleServer['client']>>
  beforeEach(async () => {
    tenant = await addTestTenant(server)
    client = await server.client(tenant.owner)
  })

  async function errorText(call: Promise<unknown>): Promise<string> {
    return await call.then(
      () => expect.fail('The call succeeded.'),
      (error: Error) => JSON.stringify([error, error.message]),
    )
  }

  /** The raw responses of all queries, called by an owner. */
  async function everythingRead(): Promise<string> {
    const token = await server.signIn.sign({ sub: tenant.owner })
    const { verificationId } = tenant
    const withInput: Record<string, object> = { 'verifications.get': { verificationId } }
    const paths = `session.me tenant.get tenant.onboarding members.list members.listInvitations apiKeys.list settings.get
      billing.get verifications.list verifications.get usage.current usage.daily audit.list audit.actions`
    const texts = paths.split(/\s+/).map(async path => {
      const response = await call(server, { path, kind: 'query', token, input: withInput[path] })
      expect(response.status, response.text).to.equal(200)
      return response.text
    })
    return (await Promise.all(texts)).join('\n')
  }

  it("a key's value is returned only when the key is created", async () => {
    const { apiKey, apiKeyId, displayStart } = await client.apiKeys.create.mutate({ name: 'Web shop' })
    expect(apiKey).to.match(/^avk_[0-9A-Za-z]{49}$/)
    expect(displayStart).to.equal(apiKey.slice(0, 12))
    const revoked = await client.apiKeys.revoke.mutate({ apiKeyId })
    expect(JSON.stringify(revoked)).not.to.include(apiKey)
    const read = await everythingRead()
    expect(read).to.include(apiKeyId).and.not.to.include(apiKey).and.not.to.include(tenant.apiKey)
    expect(read).not.to.match(/hash|[0-9a-f]{64}/)
  })

  it("an invitation's code is returned only when it is created, and is in no error, list or audit event", async () => {
    const { code, url, invitationId } = await client.members.invite.mutate({ role: 'viewer' })
    expect(url).to.equal(`https://age.example.com/dashboard/invitations#${code}`)
    const guest = await server.client(`guest of ${tenant.tenantId}`)
    const opened = await guest.session.invitation.mutate({ code })
    const accepted = await guest.session.acceptInvitation.mutate({ code })
    const errors = [
      guest.session.acceptInvitation.mutate({ code }),
      guest.session.invitation.mutate({ code }),
      guest.session.invitation.mutate({ code: `${code}${'x'.repeat(300)}` }),
    ].map(call => errorText(call))
    const read = await everythingRead()
    expect(read).to.include(invitationId)
    expect([JSON.stringify([opened, accepted]), read, ...(await Promise.all(errors))].join()).not.to.include(
      code,
    )
  })

  it('the webhook secret is returned only by reveal and rotate, and each reveal is audited', async () => {
    const first = await client.settings.revealWebhookSecret.mutate()
    expect(first).to.deep.equal({ webhookSecret: first.webhookSecret, previousValidUntil: null })
    expect(first.webhookSecret).to.match(/^whsec_[\w-]{43}$/)
    const second = await client.settings.rotateWebhookSecret.mutate()
    expect(second.webhookSecret).not.to.equal(first.webhookSecret)
    expect(second.previousValidUntil).to.equal('2026-11-21T12:00:00.000Z')
    expect(await client.settings.revealWebhookSecret.mutate()).to.deep.equal(second)
    const read = await everythingRead()
    expect(read).not.to.match(/whsec_/)
    const { items } = await client.audit.list.query()
    const reveals = items.filter(item => item.action === 'webhook_secret.reveal')
    expect(reveals).to.have.lengthOf(2)
    for (const reveal of reveals) expect(reveal).to.include({ actor: tenant.owner, actorIp: '203.0.113.7' })
    expect(await client.settings.get.query()).to.deep.equal({
      webhookUrl: 'https://hooks.example.com/age',
      returnUrl: null,
      hasWebhookSecret: true,
      previousSecretValidUntil: '2026-11-21T12:00:00.000Z',
    })
  })
})
