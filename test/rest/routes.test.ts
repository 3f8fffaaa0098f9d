import { expect } from 'chai'
import { endpoints } from '#rest/router.ts'
import { expectError } from '../harness/expect-error.ts'
import { type Call, call } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const noRoute = 'No route matches the request.'
const overview = 'GET /docs has the documentation, GET /openapi.json lists the endpoints.'
const messages: [request: string, message: string, allowedMethods?: string[]][] = [
  ['GET /verify/start', 'No route GET /verify/start; use POST.', ['POST']],
  ['DELETE /verify/submit', 'No route DELETE /verify/submit; use POST.', ['POST']],
  ['PUT /tokens/validate', 'No route PUT /tokens/validate; use POST.', ['POST']],
  ['POST /verify/status', 'No route POST /verify/status; use GET.', ['GET']],
  ['OPTIONS /verify/start', 'No route OPTIONS /verify/start; use POST.', ['POST']],
  ['POST /tokens/status-lists/1', 'No route POST /tokens/status-lists/{list}; use GET.', ['GET']],
  ['POST /health/live', 'No route POST /health/live; use GET.', ['GET']],
  ['POST /verify/start/', `${noRoute} Did you mean POST /verify/start?`],
  ['POST /v1/verify/start', `${noRoute} Did you mean POST /verify/start?`],
  ['GET /api/v1/verify/status', `${noRoute} Did you mean GET /verify/status?`],
  ['POST //verify//submit', `${noRoute} Did you mean POST /verify/submit?`],
  ['POST /Tokens/Validate', `${noRoute} Did you mean POST /tokens/validate?`],
  ['GET /verification', `${noRoute} ${overview}`],
  ['POST /verifications', 'No route POST /verifications; use GET.', ['GET']],
  ['GET /v1/verifications', `${noRoute} Did you mean GET /verifications?`],
  ['GET /', `${noRoute} ${overview}`],
  ['GET /docs/none', `${noRoute} ${overview}`],
  ['POST /docs/none', `${noRoute} ${overview}`],
  ['DELETE /docs/downloads/none.tgz', `${noRoute} ${overview}`],
  ['POST /docs/webhooks', 'No route POST /docs/webhooks; use GET.', ['GET']],
  ['POST /openapi.json', 'No route POST /openapi.json; use GET.', ['GET']],
  ['POST /tokens/status-lists/none', `${noRoute} ${overview}`],
  ['POST /test/sessions/none', `${noRoute} ${overview}`],
  ['GET /test/verifications/none/outcome', `${noRoute} ${overview}`],
  ['OPTIONS /.well-known/jwks.json', 'No route OPTIONS /.well-known/jwks.json; use GET.', ['GET']],
  [`GET /${'verify/'.repeat(1000)}`, `${noRoute} ${overview}`],
]

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

  for (const [request, message, allowedMethods] of messages) {
    it(`is told the route that ${request.slice(0, 40)} means`, async () => {
      const [method, path] = request.split(' ') as ['GET', string]
      const { body } = await call(`${service.baseUrl}${path}`, { method })
      expect(body).to.include({ error: 'ROUTE_NOT_FOUND', message })
      expect(body.details).to.deep.equal(allowedMethods && { allowedMethods })
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
