import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { errorOf } from './call.ts'
import { type ConsoleServer, useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

describe('a tenant in the console', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  let client: Awaited<ReturnType<ConsoleServer['client']>>
  beforeEach(async () => {
    server.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenant = await addTestTenant(server)
    client = await server.client(tenant.owner)
  })

  it('creates keys with scopes and an expiry, which are listed as expired afterwards', async () => {
    const scopes = ['tokens:validate' as const, 'tokens:validate' as const]
    const expiresAt = '2026-11-20T13:30:00+01:00'
    const created = await client.apiKeys.create.mutate({ name: ' Web shop ', scopes, expiresAt })
    const { apiKey, ...key } = created
    expect(key).to.deep.include({
      name: 'Web shop',
      scopes: ['tokens:validate'],
      state: 'active',
      lastUsedAt: null,
    })
    expect(key).to.include({ createdAt: '2026-11-20T12:00:00.000Z', expiresAt: '2026-11-20T12:30:00.000Z' })
    server.time.now = new Date('2026-11-20T12:30:00.000Z')
    const { items, nextCursor } = await client.apiKeys.list.query()
    const createdBy = {
      kind: 'member',
      issuer: server.signIn.issuer,
      subject: tenant.owner,
      name: null,
      isMember: true,
    }
    expect(items).to.deep.include({ ...key, state: 'expired', createdBy })
    expect((await client.apiKeys.get.query({ apiKeyId: key.apiKeyId })).createdBy).to.deep.equal(createdBy)
    expect(items.map(item => item.apiKeyId)).to.include(tenant.apiKeyId)
    expect(nextCursor).to.equal(null)
  })

  it('does not overwrite a URL or name that was changed in the meantime, and says so', async () => {
    const url = 'https://mine.example.com/'
    const theirs = 'https://theirs.example.com/'
    await client.settings.setWebhookUrl.mutate({ url: theirs })
    await client.settings.setReturnUrl.mutate({ url: theirs })
    await client.tenant.update.mutate({ name: 'Theirs' })
    const calls = [
      () => client.settings.setWebhookUrl.mutate({ url, expectedUrl: 'https://hooks.example.com/age' }),
      () => client.settings.setReturnUrl.mutate({ url, expectedUrl: null }),
      () => client.tenant.update.mutate({ name: 'Mine', expectedName: 'Shop' }),
    ]
    for (const call of calls) {
      expect(await errorOf(call())).to.include({ error: 'NOT_PROVISIONED', httpStatus: 409 })
    }
    expect(await client.settings.get.query()).to.include({ webhookUrl: theirs, returnUrl: theirs })
    expect(await client.tenant.get.query()).to.include({ name: 'Theirs' })
    const saved = await client.settings.setReturnUrl.mutate({ url, expectedUrl: theirs })
    // Again, as after a response that got lost; and somebody else who wants the same.
    for (const expectedUrl of [theirs, null]) {
      expect(await client.settings.setReturnUrl.mutate({ url, expectedUrl })).to.deep.equal(saved)
    }
    expect(saved).to.include({ returnUrl: url })
  })

  it('shows an event as it is sent, whose signature is that of its body', async () => {
    const { body, headers, secret } = await client.settings.sampleEvent.query()
    expect(JSON.parse(body)).to.include({ event: 'verification.completed', tenantId: tenant.tenantId })
    expect(headers['X-Webhook-Signature']).to.equal(createHmac('sha256', secret).update(body).digest('hex'))
    expect(headers['X-Webhook-Event']).to.equal('verification.completed')
  })
})
