import { expect } from 'chai'
import { endpoints } from '#rest/router.ts'
import { expectError } from '#test/support/expect-error.ts'
import { storedOf } from '#test/support/stored.ts'
import { type Call, call } from '#test/support/tenant-client.ts'
import { useService, useTenant } from '#test/support/use-service.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

describe('Requests that no route matches', () => {
  const service = useService()
  const tenant = useTenant(service)

  async function expectNoRoute(path: string, options: Call = {}) {
    const answer = await call(`${service.baseUrl}${path}`, options)
    expectError(answer, 'ROUTE_NOT_FOUND')
    expect(answer.headers.has('x-ratelimit-limit')).to.equal(false)
    expect(answer.headers.has('allow')).to.equal(false)
  }

  for (const { method, path } of endpoints) {
    for (const other of methods.filter(one => one !== method)) {
      it(`${other} ${path} is 404, with and without a key`, async () => {
        await expectNoRoute(path, { method: other })
        await expectNoRoute(path, { method: other, headers: { 'x-tenant-api-key': tenant.apiKey } })
      })
    }

    for (const [title, near] of [
      ['a slash behind it', `${path}/`],
      ['two slashes before it', `/${path}`],
      ['another case', path.toUpperCase()],
      ['more behind it', `${path}/more`],
      ['a version before it', `/v1${path}`],
      ['an encoded slash', path.replace(/\/([^/]*)$/, '%2F$1')],
      ['a NUL behind it', `${path}%00`],
      ['a semicolon', `${path};a=b`],
    ] as const) {
      it(`${method} ${path} with ${title} is 404`, async () => {
        await expectNoRoute(near, { method })
      })
    }
  }

  for (const path of [
    ...['/', '/verify', '/tokens', '/api', '/v1', '/favicon.ico', '/robots.txt', '/.env', '/.git/config'],
    ...['/verify/%zz', '/%', '/%c3%28', '/../etc/passwd', '/health', '/metrics/x', '/openapi.json/'],
    `/${'a'.repeat(8000)}`,
  ]) {
    it(`${path.slice(0, 40)} is 404 without looking at the key`, async () => {
      await expectNoRoute(path)
      await expectNoRoute(path, { headers: { 'x-tenant-api-key': 'wrong' } })
    })
  }

  it('a HEAD is answered as the GET, without the body', async () => {
    const found = await fetch(`${service.baseUrl}/.well-known/jwks.json`, { method: 'HEAD' })
    expect(found.status).to.equal(200)
    const missing = await fetch(`${service.baseUrl}/verify/start`, { method: 'HEAD' })
    expect(missing.status).to.equal(404)
    expect(missing.headers.get('x-request-id')).to.be.a('string')
  })

  it('count in no window and start nothing', async () => {
    await expectNoRoute('/verify/start/', {
      method: 'POST',
      json: {},
      headers: { 'x-tenant-api-key': tenant.apiKey },
    })
    expect((await storedOf(service, tenant.tenantId)).used).to.equal(0)
  })
})
