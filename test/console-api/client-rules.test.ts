import { expect } from 'chai'
import { hasRight, rights, roles } from '#domain/permissions.ts'
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
    for (const url of urls) {
      it(`checks the ${setting} URL ${JSON.stringify(url.slice(0, 40))} as saving it does`, async () => {
        const { violation } = await client.settings[check].query({ url })
        const rejection = await client.settings[save].mutate({ url }).then(
          () => null,
          (error: Error) => error.message,
        )
        expect(violation).to.equal(rejection)
      })
    }

    it(`does not save the ${setting} URL that it checks`, async () => {
      const before = await client.settings.get.query()
      await client.settings[check].query({ url: 'https://other.example.com/' })
      expect(await client.settings.get.query()).to.deep.equal(before)
    })

    it(`returns INVALID_PARAMETERS for a ${setting} URL of more than 4,096 characters`, async () => {
      const url = `https://example.com/${'a'.repeat(4_077)}`
      const error = await client.settings[check].query({ url }).then(
        () => undefined,
        (reason: { data: { error: string } }) => reason.data.error,
      )
      expect(error).to.equal('INVALID_PARAMETERS')
    })
  }
})
