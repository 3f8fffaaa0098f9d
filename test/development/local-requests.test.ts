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
  /** The address of each, and a path that it serves. */
  const servers: Record<string, { url: string; path: string }> = {}
  before(async () => {
    const simulator = await startVeriffSimulator({
      host: '127.0.0.1',
      port: 0,
      apiKey: 'key',
      sharedSecrets: ['secret'],
      webhookUrl: 'http://127.0.0.1:9/',
      origins: [dashboard],
      publicUrl,
    })
    closing.defer(() => simulator.close())
    const signIn = await startSignIn({
      host: '127.0.0.1',
      port: 0,
      clientId: 'dashboard',
      audience: 'console',
      redirectUris: [`${dashboard}/callback`],
      postLogoutRedirectUris: [],
      dashboardOrigins: [dashboard],
      users: [],
      publicUrl,
    })
    closing.defer(() => signIn.close())
    const receiver = await startWebhookReceiver({
      folder: folder.path,
      host: '127.0.0.1',
      httpsPort: 0,
      viewPort: 0,
      secrets: async () => [],
      publicUrl,
    })
    closing.defer(() => receiver.close())
    servers.simulator = { url: simulator.baseUrl, path: '/control/sessions' }
    servers.signIn = { url: signIn.issuer, path: '/.well-known/openid-configuration' }
    servers.view = { url: new URL(receiver.viewUrl).origin, path: '/events' }
  })
  after(() => closing.disposeAsync())

  const get = async (name: string, headers: Record<string, string>) => {
    const { url, path } = servers[name]!
    const lines = Object.entries({ Host: new URL(url).host, ...headers }).map(
      ([key, value]) => `${key}: ${value}`,
    )
    return await sendRaw(url, [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  }
  const portOf = (name: string) => new URL(servers[name]!.url).port

  for (const name of ['simulator', 'signIn', 'view']) {
    it(`serves requests to its loopback names, from its own pages and from BASE_URL (${name})`, async () => {
      const port = portOf(name)
      const names = [`127.0.0.1:${port}`, `localhost:${port}`, `LocalHost:${port}`, `[::1]:${port}`]
      for (const Host of [...names, 'tunnel.example']) {
        expect((await get(name, { Host })).status, Host).to.equal(200)
      }
      for (const Origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, publicUrl]) {
        expect((await get(name, { Origin })).status, Origin).to.equal(200)
      }
    })

    it(`returns 421 for any other Host, so that a rebound DNS name reaches nothing (${name})`, async () => {
      const port = portOf(name)
      const lookalike = `127.0.0.1.evil.example:${port}`
      const hosts = [`evil.example:${port}`, 'evil.example', '127.0.0.1', '127.0.0.1:1', '', lookalike]
      for (const Host of hosts) {
        const { status, body } = await get(name, { Host })
        expect(status, Host).to.equal(421)
        expect(body).to.equal(
          `The Host header is not an address of this development server. Use http://127.0.0.1:${port}.\n`,
        )
      }
    })

    it(`returns 403 for requests from other websites (${name})`, async () => {
      for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://evil.example:80']) {
        const { status, body } = await get(name, { Origin })
        expect(status, Origin).to.equal(403)
        expect(body).to.equal('This development server accepts no requests from other websites.\n')
      }
    })
  }

  it('serves requests from the dashboard', async () => {
    expect((await get('simulator', { Origin: dashboard })).status).to.equal(200)
    expect((await get('signIn', { Origin: dashboard })).status).to.equal(200)
  })

  it('takes only JSON on the control routes', async () => {
    const control = async (method: string, path: string, init: RequestInit) =>
      (await fetch(`${servers.simulator!.url}/control${path}`, { method, ...init })).status
    const id = '01a00000-0000-7000-8000-000000000000'
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const action of ['open', 'submit', 'decide', 'deliver']) {
      const path = `/sessions/${id}/${action}`
      expect(await control('POST', path, { body: '{}' }), action).to.equal(415)
      expect(await control('POST', path, { body: 'a=b', headers: form }), action).to.equal(415)
    }
    expect(await control('PUT', '/mode', { body: '{}' })).to.equal(415)
    expect(await control('POST', '/deliveries/release', { body: '{}' })).to.equal(415)
    expect(await control('POST', '/deliveries/release', {})).to.equal(200)
    const json = { 'content-type': 'application/json; charset=utf-8' }
    expect(await control('PUT', '/mode', { body: '{}', headers: json })).to.equal(200)
  })

  it('rejects the response mode form_post at sign-in, so that no page ever contains a code', async () => {
    const { url } = servers.signIn!
    const discovered = (await get('signIn', {})).body
    expect(discovered.response_modes_supported).to.deep.equal(['query'])
    const parameters = new URLSearchParams({
      client_id: 'dashboard',
      redirect_uri: `${dashboard}/callback`,
      response_type: 'code',
      response_mode: 'form_post',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const response = await fetch(`${url}/auth?${parameters}`, { redirect: 'manual' })
    const text = await response.text()
    expect(response.headers.get('location') ?? '').not.to.contain('/sign-in/')
    expect(text).to.contain('response_mode is not allowed').and.not.contain('name="code"')
  })
})
