import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import Koa from 'koa'
import { serveDashboard } from '#server/dashboard/serve-dashboard.ts'
import { rawGet } from './raw-get.ts'

const script = `export const answer = ${'4'.repeat(5_000)}\n`
const html = '<meta property="csp-nonce" nonce="__STYLE_NONCE__"><script src="/dashboard/assets/main-abc.js">'

describe('the dashboard as it is served', () => {
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
        ...{ distFolder, clientId: 'dashboard', audience: 'urn:console', baseUrl: 'https://age.example' },
        ...{ issuer: 'https://sign-in.example/realm', consoleUrl: 'https://age.example/console' },
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

  it('answers every page address with the page, and never lets it be stored', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/overview', '/dashboard/verifications/1']) {
      const answer = await rawGet(`${baseUrl}${path}`)
      expect(answer.status, path).to.equal(200)
      expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8')
      expect(answer.headers['cache-control']).to.equal('no-store')
    }
  })

  it('lets the page run only its own scripts and talk only to itself, the console and the sign-in', async () => {
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

  it('gives the styles of each answer a nonce of its own, that the page knows', async () => {
    const nonces = new Set<string>()
    for (let turn = 0; turn < 2; turn++) {
      const { headers, body } = await rawGet(`${baseUrl}/dashboard/`)
      const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy'])) ?? []
      expect(body.toString()).to.contain(`nonce="${nonce}"`).and.not.contain('__STYLE_NONCE__')
      nonces.add(nonce)
    }
    expect(nonces.size).to.equal(2)
  })

  it('lets hashed files be kept for ever, smaller for browsers that can unpack them', async () => {
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
  })

  it('does not send a file again to a browser that has it', async () => {
    const path = `${baseUrl}/dashboard/assets/main-abc.js`
    const { headers } = await rawGet(path)
    const again = await rawGet(path, { 'if-none-match': String(headers.etag) })
    expect(again.status).to.equal(304)
    expect(again.body).to.have.length(0)
  })

  it('tells the page where the console and the sign-in are', async () => {
    const { body, headers } = await rawGet(`${baseUrl}/dashboard/config.json`)
    expect(headers['cache-control']).to.equal('no-store')
    expect(JSON.parse(body.toString())).to.deep.equal({
      ...{ baseUrl: 'https://age.example', consoleUrl: 'https://age.example/console' },
      ...{ issuer: 'https://sign-in.example/realm', clientId: 'dashboard', audience: 'urn:console' },
    })
  })

  it('serves nothing outside its folder, whatever the path', async () => {
    const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt']
    for (const path of paths) {
      const { status, body } = await rawGet(`${baseUrl}/dashboard${path}`)
      expect(body.toString(), path).not.to.contain('not for the web')
      expect(status, path).to.equal(404)
    }
  })

  it('knows no other files, other methods or other places', async () => {
    expect((await rawGet(`${baseUrl}/dashboard/assets/gone-123.js`)).status).to.equal(404)
    expect((await rawGet(`${baseUrl}/dashboard/robots.txt`)).status).to.equal(404)
    expect((await rawGet(`${baseUrl}/dashboards`)).status).to.equal(404)
    expect((await fetch(`${baseUrl}/dashboard/`, { method: 'POST' })).status).to.equal(404)
  })
})
