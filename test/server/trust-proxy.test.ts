import { expect } from 'chai'
import { createApp } from '#server/app.ts'
import { freePort } from '#server/http/free-port.ts'
import { listen } from '#server/http/listen.ts'
import { audience, type SignInProvider, startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import { call } from '../harness/tenant-client.ts'
import { startTestService } from '../harness/test-service.ts'

describe('The address of a member in the audit log', () => {
  let provider: SignInProvider
  before(async () => {
    provider = await startSignInProvider(() => new Date())
  })
  after(() => provider.close())

  /** Returns the recorded IP address of a member who creates a tenant with this header behind the trusted proxies. */
  async function recorded(proxies: number, forwardedFor?: string): Promise<string> {
    const service = await startTestService({ env: { TRUST_PROXY: String(proxies) } })
    const { services } = service
    const oidc = { issuer: provider.issuer, audience, clientId: 'dashboard' }
    const app = createApp({ ...services, dependencies: { ...services.dependencies, oidc } })
    const port = await freePort()
    const { drain } = await listen(app.callback(), { host: '127.0.0.1', port })
    try {
      const headers = {
        authorization: `Bearer ${await provider.sign()}`,
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      }
      const consoleUrl = `http://127.0.0.1:${port}/console`
      const json = { name: 'Corner Shop' }
      const created = await call(`${consoleUrl}/tenant.provision`, { method: 'POST', headers, json })
      expect(created.status).to.equal(200)
      const { body } = await call(`${consoleUrl}/audit.list`, { headers })
      return body.result.data.items[0].actorIp
    } finally {
      await drain()
      await service.close()
    }
  }

  for (const [title, proxies, forwardedFor, expected] of [
    [
      'is that of the connection if no proxy is trusted, whatever the header claims',
      0,
      '203.0.113.7',
      '127.0.0.1',
    ],
    [
      'is what the one trusted proxy reports, not what the client claims',
      1,
      '198.51.100.1, 203.0.113.7',
      '203.0.113.7',
    ],
    [
      'is what the outer of two trusted proxies reports',
      2,
      '192.0.2.1, 203.0.113.7, 198.51.100.1',
      '203.0.113.7',
    ],
    ['has no port', 1, '203.0.113.7:4711', '203.0.113.7'],
    ['has no brackets and no port for IPv6', 1, '[2001:db8::7]:4711', '2001:db8::7'],
    ['is that of the connection if the proxy reports none', 1, undefined, '127.0.0.1'],
    ['is never text that is not an address, however long', 1, 'x'.repeat(5_000), '127.0.0.1'],
    ['is never an address with a zone, however long', 1, `fe80::1%${'x'.repeat(300)}`, '127.0.0.1'],
  ] as const) {
    it(title, async () => {
      expect(await recorded(proxies, forwardedFor)).to.equal(expected)
    })
  }
})
