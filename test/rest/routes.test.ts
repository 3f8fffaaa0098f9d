import { expect } from 'chai'
import { endpoints } from '#rest/router.ts'
import { expectError } from '../harness/expect-error.ts'
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
    it(`gets 404 for ${path} with another method than ${method}, with and without a key`, async () => {
      for (const other of methods.filter(one => one !== method)) {
        await expectNoRoute(path, { method: other })
        await expectNoRoute(path, { method: other, headers: { 'x-tenant-api-key': tenant.apiKey } })
      }
    })

    it(`gets 404 for a path that resembles that of ${method} ${path}`, async () => {
      const encodedSlash = path.includes('/', 1) ? [path.replace(/\/([^/]*)$/, '%2F$1')] : []
      const extended = ['/', '/more', '%00', ';a=b'].map(end => path + end)
      for (const near of [...extended, `/${path}`, path.toUpperCase(), `/v1${path}`, ...encodedSlash]) {
        await expectNoRoute(near, { method })
      }
    })
  }

  for (const path of [
    '/',
    '/verify',
    '/.env',
    '/verify/%zz',
    '/%c3%28',
    '/../etc/passwd',
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
})
