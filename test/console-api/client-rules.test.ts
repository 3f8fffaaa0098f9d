import { expect } from 'chai'
import { hasRight, rights, roles } from '#domain/permissions.ts'
import { errorOf } from './call.ts'
import { type ConsoleServer, useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

type Client = Awaited<ReturnType<ConsoleServer['client']>>

/** Rules that clients ask the console for, so that they need no copies. */
describe('the rules that the console reports to its clients', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  let client: Client
  before(async () => {
    tenant = await addTestTenant(server)
    client = await server.client(tenant.owner)
  })

  for (const role of roles) {
    it(`lists exactly the rights that the console enforces for the ${role} role`, async () => {
      const { memberships } = await (await server.client(tenant[role])).session.me.query()
      expect(memberships).to.have.lengthOf(1)
      expect(memberships[0]?.rights).to.deep.equal(rights.filter(right => hasRight(role, right)))
    })
  }

  const settings = [
    { setting: 'webhook', check: 'checkWebhookUrl', save: 'setWebhookUrl' },
    { setting: 'return', check: 'checkReturnUrl', save: 'setReturnUrl' },
  ] as const
  const urls = [
    'https://new.example.com/in',
    'https://127.0.0.1/',
    'https://a:b@example.com/',
    'http://example.com/',
    '',
    `https://example.com/${'a'.repeat(2_100)}`,
  ]

  for (const { setting, check, save } of settings) {
    it(`checks the ${setting} URL as saving it does, and saves nothing`, async () => {
      for (const url of urls) {
        const before = await client.settings.get.query()
        const { violation } = await client.settings[check].query({ url })
        expect(await client.settings.get.query()).to.deep.equal(before)
        const rejection =
          violation === null ? undefined : await errorOf(client.settings[save].mutate({ url }))
        if (violation === null) await client.settings[save].mutate({ url })
        expect(rejection?.message ?? null, url).to.equal(violation)
        expect(rejection?.error, url).to.equal(violation === null ? undefined : 'INVALID_REQUEST_BODY')
        expect(rejection?.details, url).to.deep.equal(
          rejection && { issues: [{ path: 'url', message: violation }] },
        )
      }
    })
  }
})
