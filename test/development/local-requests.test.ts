import { expect } from 'chai'
import { startSignIn } from '#development/sign-in/start-sign-in.ts'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { startWebhookReceiver } from '#development/webhook-receiver/start-webhook-receiver.ts'
import { sendRaw } from '../harness/raw-http.ts'
import { temporaryFolder } from './temporary-folder.ts'

const dashboard = 'http://127.0.0.1:3999'
const publicUrl = 'https://tunnel.example'

describe('A development server', () => {
  const folder = temporaryFolder()
  const closing = new AsyncDisposableStack()
  after(() => closing.disposeAsync())

  /** Each returns its address and a path that it serves. */
  const servers: Record<string, () => Promise<URL>> = {
    async simulator() {
      const { baseUrl, close } = await startVeriffSimulator({
        port: 0,
        apiKey: 'key',
        sharedSecrets: ['secret'],
        webhookUrl: 'http://127.0.0.1:9/',
        origins: [dashboard],
        publicUrl,
      })
      closing.defer(close)
      return new URL('/control/sessions', baseUrl)
    },
    async 'sign-in'() {
      const { issuer, close } = await startSignIn({
        port: 0,
        clientId: 'dashboard',
        audience: 'console',
        redirectUris: [`${dashboard}/callback`],
        postLogoutRedirectUris: [],
        dashboardOrigins: [dashboard],
        users: [],
        publicUrl,
      })
      closing.defer(close)
      return new URL('/.well-known/openid-configuration', issuer)
    },
    async receiver() {
      const receiver = {
        folder: folder.path,
        httpsPort: 0,
        viewPort: 0,
        secrets: async () => [],
        publicUrl,
        onError() {},
      }
      const { viewUrl, close } = await startWebhookReceiver(receiver)
      closing.defer(close)
      return new URL(viewUrl)
    },
  }

  for (const [name, start] of Object.entries(servers)) {
    describe(`(${name})`, () => {
      let url: URL
      before(async () => {
        url = await start()
      })
      const get = (headers: Record<string, string>) => {
        const lines = Object.entries({ Host: url.host, ...headers }).map(pair => pair.join(': '))
        return sendRaw(url.origin, [`GET ${url.pathname} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
      }

      it('serves requests to its loopback names, from its own pages and from BASE_URL', async () => {
        const { port } = url
        const names = [`127.0.0.1:${port}`, `LocalHost:${port}`, `[::1]:${port}`, 'tunnel.example']
        for (const Host of names) expect((await get({ Host })).status, Host).to.equal(200)
        const origins = [`http://localhost:${port}`, publicUrl, ...(name === 'receiver' ? [] : [dashboard])]
        for (const Origin of origins) expect((await get({ Origin })).status, Origin).to.equal(200)
      })

      it('returns 421 for any other Host, so that a rebound DNS name reaches nothing', async () => {
        const lookalike = `127.0.0.1.evil.example:${url.port}`
        for (const Host of [`evil.example:${url.port}`, '127.0.0.1', '127.0.0.1:1', '', lookalike]) {
          const { status, body } = await get({ Host })
          expect(status, Host).to.equal(421)
          expect(body).to.match(/^The Host header is not an address of this development server\./)
        }
      })

      it('returns 403 for requests from other websites', async () => {
        for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
          const { status, body } = await get({ Origin })
          expect(status, Origin).to.equal(403)
          expect(body).to.equal('This development server accepts no requests from other websites.\n')
        }
      })
    })
  }
})
