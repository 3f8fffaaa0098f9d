import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import Koa from 'koa'
import { serveDashboard } from '#server/pages/dashboard/serve-dashboard.ts'
import { rawGet } from './raw-get.ts'

const script = `export const answer = ${'4'.repeat(5_000)}\n`
const html = '<meta property="csp-nonce" nonce="__STYLE_NONCE__"><script src="/dashboard/assets/main-abc.js">'

describe('serving the dashboard', () => {
  let folder: string
  let baseUrl: string
  let close: () => void
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-'))
    const distFolder = join(folder, 'dist')
    await mkdir(join(distFolder, 'assets'), { recursive: true })
    await writeFile(join(folder, 'secret.txt'), 'not for the web')
    await writeFile(join(distFolder, 'index.html'), html)
    await writeFile(join(distFolder, 'assets', 'main-abc.js'), script)
    const app = new Koa()
    app.use(
      serveDashboard({
        distFolder,
        clientId: 'dashboard',
        audience: 'urn:console',
        baseUrl: 'https://age.example',
        issuer: 'https://sign-in.example/realm',
        consoleUrl: 'https://age.example/console',
      }),
    )
    const server = app.listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = () => server.close()
  })
  after(async () => {
    close()
    await rm(folder, { recursive: true })
  })

  it('returns the page with no-store for every page URL', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/overview', '/dashboard/verifications/1']) {
      const response = await rawGet(`${baseUrl}${path}`)
      expect(response.status, path).to.equal(200)
      expect(response.headers['content-type']).to.equal('text/html; charset=utf-8')
      expect(response.headers['cache-control']).to.equal('no-store')
    }
  })

  it('restricts scripts to its own and connections to itself, the console and the sign-in provider', async () => {
    const { headers } = await rawGet(`${baseUrl}/dashboard/`)
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map(directive => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    )
    expect(policy).to.include({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self' https://sign-in.example https://age.example",
      'base-uri': "'none'",
      'frame-ancestors': "'self'",
    })
    expect(String(headers['content-security-policy'])).not.to.contain('unsafe')
  })

  it('puts a new style nonce into the page and the policy of each response', async () => {
    const nonces = new Set<string>()
    for (let count = 0; count < 2; count++) {
      const { headers, body } = await rawGet(`${baseUrl}/dashboard/`)
      const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy'])) ?? []
      expect(body.toString()).to.contain(`nonce="${nonce}"`).and.not.contain('__STYLE_NONCE__')
      nonces.add(nonce)
    }
    expect(nonces.size).to.equal(2)
  })

  it('returns hashed files as immutable, compressed for clients that accept it, and 304 for those that a browser has', async () => {
    const path = `${baseUrl}/dashboard/assets/main-abc.js`
    const plain = await rawGet(path)
    expect(plain.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).to.equal('text/javascript; charset=utf-8')
    expect(plain.body.toString()).to.equal(script)
    const brotli = await rawGet(path, { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers['content-encoding']).to.equal('br')
    expect(brotliDecompressSync(brotli.body).toString()).to.equal(script)
    const gzip = await rawGet(path, { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).to.equal('gzip')
    expect(gunzipSync(gzip.body).toString()).to.equal(script)
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).to.equal(3)
    const cached = await rawGet(path, { 'if-none-match': String(plain.headers.etag) })
    expect([cached.status, cached.body.length]).to.deep.equal([304, 0])
  })

  it('returns the URLs of the console and the sign-in provider in config.json', async () => {
    const { body, headers } = await rawGet(`${baseUrl}/dashboard/config.json`)
    expect(headers['cache-control']).to.equal('no-store')
    expect(JSON.parse(body.toString())).to.deep.equal({
      baseUrl: 'https://age.example',
      consoleUrl: 'https://age.example/console',
      issuer: 'https://sign-in.example/realm',
      clientId: 'dashboard',
      audience: 'urn:console',
    })
  })

  it('returns 404 for paths that lead out of its folder', async () => {
    const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt']
    for (const path of paths) {
      const { status, body } = await rawGet(`${baseUrl}/dashboard${path}`)
      expect(body.toString(), path).not.to.contain('not for the web')
      expect(status, path).to.equal(404)
    }
  })

  it('returns 404 for unknown files, other methods and other paths', async () => {
    expect((await rawGet(`${baseUrl}/dashboard/assets/gone-123.js`)).status).to.equal(404)
    expect((await rawGet(`${baseUrl}/dashboard/robots.txt`)).status).to.equal(404)
    expect((await rawGet(`${baseUrl}/dashboards`)).status).to.equal(404)
    expect((await fetch(`${baseUrl}/dashboard/`, { method: 'POST' })).status).to.equal(404)
  })
})
