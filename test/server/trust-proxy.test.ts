import { expect } from 'chai'
import { createApp } from '#server/app.ts'
import { freePort, listen } from '#server/http/listen.ts'
import { audience, type SignInProvider, startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import { call } from '#test/support/tenant-client.ts'
import { startTestService } from '#test/support/test-service.ts'

describe('The address of a member in the audit log', () => {
  let provider: SignInProvider
  before(async () => {
    provider = await startSignInProvider(() => new Date())
  })
  after(() => provider.close())

  /** What is written of a member who makes a tenant, with this header, behind so many trusted proxies. */
  async function recorded(proxies: number, forwardedFor?: string): Promise<string> {
    const service = await startTestService({ env: { TRUST_PROXY: String(proxies) } })
    const { services } = service
    const oidc = { issuer: provider.issuer, audience, clientId: 'dashboard' }
    const app = createApp({ ...services, dependencies: { ...services.dependencies, oidc } })
    const port = await freePort('127.0.0.1')
    const { drain } = await listen(app, { host: '127.0.0.1', port })
    try {
      const headers = {
        authorization: `Bearer ${await provider.sign()}`,
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      }
      const console = `http://127.0.0.1:${port}/console`
      const json = { name: 'Corner Shop' }
      const made = await call(`${console}/tenant.provision`, { method: 'POST', headers, json })
      expect(made.status).to.equal(200)
      const { body } = await call(`${console}/audit.list`, { headers })
      return body.result.data.items[0].actorIp
    } finally {
      await drain()
      await service.close()
    }
  }

  for (const [title, proxies, forwardedFor, expected] of [
    [
      'is that of the connection, whatever is claimed, where no proxy is trusted',
      0,
      '203.0.113.7',
      '127.0.0.1',
    ],
    [
      'is what the one trusted proxy says, not what was claimed before it',
      1,
      '198.51.100.1, 203.0.113.7',
      '203.0.113.7',
    ],
    ['is what the outer of two says', 2, '192.0.2.1, 203.0.113.7, 198.51.100.1', '203.0.113.7'],
    ['comes without the port', 1, '203.0.113.7:4711', '203.0.113.7'],
    ['comes without the brackets and port of IPv6', 1, '[2001:db8::7]:4711', '2001:db8::7'],
    ['is that of the connection where the proxy says none', 1, undefined, '127.0.0.1'],
    ['is never a text that is no address, however long', 1, 'x'.repeat(5_000), '127.0.0.1'],
    ['is never an address with a zone, however long', 1, `fe80::1%${'x'.repeat(300)}`, '127.0.0.1'],
  ] as const) {
    it(title, async () => {
      expect(await recorded(proxies, forwardedFor)).to.equal(expected)
    })
  }
})
