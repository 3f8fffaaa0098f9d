import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import Koa from 'koa'
import { securityHeaders } from '#server/http/security-headers.ts'
import { serveDashboard } from '#server/pages/dashboard/serve-dashboard.ts'
import { temporaryFolder } from '../../../development/temporary-folder.ts'
import { eventually } from '../../../harness/eventually.ts'
import { listenLocally } from '../../../harness/listen-locally.ts'
import { sendRaw } from '../../../harness/raw-http.ts'
import { call } from '../../../harness/tenant-client.ts'

const script = `export const answer = ${'4'.repeat(5_000)}\n`
const html =
  '<meta property="csp-nonce" nonce="__STYLE_NONCE__"><script type="application/json">"__CONFIG__"</script>'

/** With a field that the dashboard doesn't need. */
const discovery = (issuer: string) =>
  JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, token_endpoint: `${issuer}/token` })

describe('serving the dashboard', () => {
  const folder = temporaryFolder()
  let baseUrl: string
  let issuer: string
  let close: () => Promise<void>
  before(async () => {
    const provider = await listenLocally(createServer((_, response) => response.end(discovery(issuer))))
    issuer = provider.url
    const distFolder = join(folder.path, 'dist')
    await mkdir(join(distFolder, 'assets'), { recursive: true })
    await writeFile(join(folder.path, 'secret.txt'), 'not for the web')
    await writeFile(join(distFolder, 'index.html'), html)
    await writeFile(join(distFolder, 'assets', 'main-abc.js'), script)
    const app = new Koa().use(securityHeaders('https://age.example'))
    app.use(
      serveDashboard({
        distFolder,
        clientId: 'dashboard',
        audience: 'urn:console</script>',
        scope: 'urn:console/use',
        baseUrl: 'https://age.example',
        issuer,
        consoleUrl: 'https://age.example/console',
      }),
    )
    const server = await listenLocally(createServer(app.callback()))
    baseUrl = server.url
    close = async () => void (await Promise.all([server.close(), provider.close()]))
  })
  after(() => close())

  it('returns the page with no-store for every page URL', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/overview', '/dashboard/verifications/1']) {
      const { status, headers } = await fetch(`${baseUrl}${path}`)
      expect(status, path).to.equal(200)
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8')
      expect(headers.get('cache-control')).to.equal('no-store')
    }
  })

  it('restricts scripts to its own and connections to itself, the console and the sign-in provider', async () => {
    const { headers } = await fetch(`${baseUrl}/dashboard/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      `connect-src 'self' ${issuer} https://age.example`,
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ])
    expect(policy).not.to.contain('unsafe')
  })

  it('puts a new style nonce into the page and the policy of each response', async () => {
    const nonces = new Set<string>()
    for (let count = 0; count < 2; count++) {
      const response = await fetch(`${baseUrl}/dashboard/`)
      const policy = response.headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(policy) ?? []
      expect(await response.text())
        .to.contain(`nonce="${nonce}"`)
        .and.not.contain('__STYLE_NONCE__')
      nonces.add(nonce)
    }
    expect(nonces.size).to.equal(2)
  })

  it('returns hashed files as immutable, compressed for clients that accept it, and 304 for those that a browser has', async () => {
    const path = '/dashboard/assets/main-abc.js'
    const etags = new Set<string>()
    for (const [accepted, encoding] of [
      ['identity', null],
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const { headers, body } = await call(`${baseUrl}${path}`, { headers: { 'accept-encoding': accepted } })
      expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).to.equal('text/javascript; charset=utf-8')
      expect(headers.get('content-encoding')).to.equal(encoding)
      expect(body).to.equal(script)
      const etag = headers.get('etag')!
      etags.add(etag)
      const cached = await getUnchanged(path, { 'Accept-Encoding': accepted, 'If-None-Match': etag })
      expect([cached.status, cached.body]).to.deep.equal([304, ''])
    }
    expect(etags.size).to.equal(3)
  })

  it('has its configuration in the page, with the endpoints of the sign-in provider once they are known', async () => {
    const [early] = /\{.*\}/.exec(await (await fetch(`${baseUrl}/dashboard/`)).text()) ?? ['']
    expect(early).not.to.contain('</script>')
    const { metadata, ...config } = await eventually(readConfig, {
      until: read => read.metadata !== undefined,
    })
    expect(config).to.deep.equal({
      baseUrl: 'https://age.example',
      consoleUrl: 'https://age.example/console',
      issuer,
      clientId: 'dashboard',
      audience: 'urn:console</script>',
      scope: 'urn:console/use',
    })
    expect(metadata).to.deep.equal({ issuer, token_endpoint: `${issuer}/token` })
  })

  it('returns 404 for paths that lead out of its folder', async () => {
    const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt']
    for (const path of paths) {
      const { status, body } = await getUnchanged(`/dashboard${path}`)
      expect(body, path).not.to.contain('not for the web')
      expect(status, path).to.equal(404)
    }
  })

  async function readConfig() {
    const page = await (await fetch(`${baseUrl}/dashboard/`)).text()
    return JSON.parse(/<script type="application\/json">(.*)<\/script>/.exec(page)![1]!)
  }

  /** `fetch` would normalise the path, and ask for an uncached response. */
  function getUnchanged(path: string, headers: Record<string, string> = {}) {
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(field => field.join(': '))
    return sendRaw(baseUrl, `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  }
})
