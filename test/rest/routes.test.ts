import { expect } from 'chai'
import { endpoints } from '#rest/router.ts'
import { expectError } from '../harness/expect-error.ts'
import { countRecords } from '../harness/stored.ts'
import { type Call, call } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

describe('A request that matches no route', () => {
  const service = useService()
  const tenant = useTenant(service)

  async function expectNoRoute(path: string, options: Call = {}) {
    const response = await call(`${service.baseUrl}${path}`, options)
    expectError(response, 'ROUTE_NOT_FOUND')
    expect(response.headers.has('x-ratelimit-limit')).to.equal(false)
    expect(response.headers.has('allow')).to.equal(false)
  }

  for (const { method, path } of endpoints) {
    for (const other of methods.filter(one => one !== method)) {
      it(`gets 404 for ${other} ${path}, with and without a key`, async () => {
        await expectNoRoute(path, { method: other })
        await expectNoRoute(path, { method: other, headers: { 'x-tenant-api-key': tenant.apiKey } })
      })
    }

    for (const [title, near] of [
      ['a slash after it', `${path}/`],
      ['two slashes before it', `/${path}`],
      ['another case', path.toUpperCase()],
      ['another segment after it', `${path}/more`],
      ['a version before it', `/v1${path}`],
      ['an encoded slash', path.replace(/\/([^/]*)$/, '%2F$1')],
      ['a NUL after it', `${path}%00`],
      ['a semicolon', `${path};a=b`],
    ] as const) {
      it(`gets 404 for ${method} ${path} with ${title}`, async () => {
        await expectNoRoute(near, { method })
      })
    }
  }

  for (const path of [
    '/',
    '/verify',
    '/tokens',
    '/api',
    '/v1',
    '/favicon.ico',
    '/robots.txt',
    '/.env',
    '/.git/config',
    '/verify/%zz',
    '/%',
    '/%c3%28',
    '/../etc/passwd',
    '/health',
    '/metrics/x',
    '/openapi.json/',
    `/${'a'.repeat(8000)}`,
  ]) {
    it(`gets 404 for ${path.slice(0, 40)}, whether its key is valid or not`, async () => {
      await expectNoRoute(path)
      await expectNoRoute(path, { headers: { 'x-tenant-api-key': 'wrong' } })
    })
  }

  it('gets 404 without a body for HEAD, which is otherwise served like GET', async () => {
    const found = await fetch(`${service.baseUrl}/.well-known/jwks.json`, { method: 'HEAD' })
    expect(found.status).to.equal(200)
    const missing = await fetch(`${service.baseUrl}/verify/start`, { method: 'HEAD' })
    expect(missing.status).to.equal(404)
    expect(missing.headers.get('x-request-id')).to.be.a('string')
  })

  it('is / for programs, while browsers are redirected to the documentation', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    const { status, headers } = await call(`${service.baseUrl}/`, { headers: browser })
    expect([status, headers.get('location')]).to.deep.equal([302, `${service.baseUrl}/docs`])
    await expectNoRoute('/', { headers: { accept: 'application/json' } })
    await expectNoRoute('/', { method: 'POST', headers: browser })
    await expectNoRoute('/index.html', { headers: browser })
  })

  it('is not counted and starts nothing', async () => {
    await expectNoRoute('/verify/start/', {
      method: 'POST',
      json: {},
      headers: { 'x-tenant-api-key': tenant.apiKey },
    })
    expect((await countRecords(service, tenant.tenantId)).used).to.equal(0)
  })
})
