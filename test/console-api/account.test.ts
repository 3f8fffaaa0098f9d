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
})
