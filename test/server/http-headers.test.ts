import { expect } from 'chai'
import { endpoints } from '#rest/router.ts'
import { createApp } from '#server/app.ts'
import { listen } from '#server/http/listen.ts'
import { type Call, call, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const dashboardOrigin = 'https://dashboard.example'
const foreignOrigins = [
  'https://evil.example',
  'http://dashboard.example',
  'https://dashboard.example:8443',
  'null',
  'https://dashboard.example.evil.example',
  'https://sub.dashboard.example',
]

describe('The headers of every response', () => {
  const service = useService({ env: { DASHBOARD_URL: `${dashboardOrigin}/app` } })
  const tenant = useTenant(service)

  const responses: [string, string, Call][] = [
    ...endpoints.map(({ method, path }): [string, string, Call] => [`${method} ${path}`, path, { method }]),
    ['an unknown route', '/nowhere', {}],
    ['the console', '/console/session.me', {}],
    ['/health/live', '/health/live', {}],
    ['/health/ready', '/health/ready', {}],
    ['/health/ready/callbacks', '/health/ready/callbacks', {}],
    ['/openapi.json', '/openapi.json', {}],
  ]
  for (const [title, path, options] of responses) {
    it(`are strict: ${title}`, async () => {
      const { headers } = await call(`${service.baseUrl}${path}`, options)
      expect(headers.get('x-content-type-options')).to.equal('nosniff')
      expect(headers.get('x-frame-options')).to.equal('DENY')
      expect(headers.get('referrer-policy')).to.equal('no-referrer')
      expect(headers.get('content-security-policy')).to.include("default-src 'none'")
      expect(headers.get('x-request-id')).to.match(uuid)
      for (const banner of ['server', 'x-powered-by', 'via']) {
        expect(headers.has(banner), banner).to.equal(false)
      }
      expect(headers.get('set-cookie')).to.equal(null)
    })
  }

  it('prevent caches from storing tenant data', async () => {
    const client = tenantClient(service, tenant)
    const started = await client.start()
    for (const response of [
      started,
      await client.status(started.body.verificationId),
      await client.validate('x'),
    ]) {
      expect(response.headers.get('cache-control')).to.equal('no-store')
    }
  })

  it('contain HSTS only if the public URL is https', async () => {
    const plain = await call(`${service.baseUrl}/health/live`)
    expect(plain.headers.has('strict-transport-security')).to.equal(false)
    const config = { ...service.services.config, baseUrl: 'https://api.example' }
    const app = createApp({ ...service.services, config })
    const { port, drain } = await listen(app.callback(), { host: '127.0.0.1', port: 0 })
    const { headers } = await call(`http://127.0.0.1:${port}/health/live`)
    expect(headers.get('strict-transport-security')).to.match(/^max-age=31536000/)
    await drain()
  })

  // The public ones allow every origin: test/rest/jwks.test.ts.
  for (const { method, path } of endpoints.filter(({ kind }) => kind !== 'open')) {
    it(`allow no other origin: ${method} ${path}`, async () => {
      const asked = { 'access-control-request-method': method }
      for (const origin of [dashboardOrigin, ...foreignOrigins]) {
        const url = `${service.baseUrl}${path}`
        const key = { 'x-tenant-api-key': tenant.apiKey }
        const response = await call(url, { method, headers: { ...key, origin } })
        const preflight = await call(url, { method: 'OPTIONS', headers: { origin, ...asked } })
        expect(preflight.status).to.equal(404)
        for (const { headers } of [response, preflight]) expect(corsHeaders(headers)).to.deep.equal([])
      }
    })
  }

  it('allow the dashboard’s origin on the console', async () => {
    const preflight = await call(`${service.baseUrl}/console/session.me`, {
      method: 'OPTIONS',
      headers: {
        origin: dashboardOrigin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-tenant-id',
      },
    })
    expect(preflight.status).to.equal(204)
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(dashboardOrigin)
    expect(preflight.headers.get('access-control-allow-methods')).to.equal('GET, POST')
    expect(
      preflight.headers.get('access-control-allow-headers')!.toLowerCase().split(', '),
    ).to.include.members(['authorization', 'content-type', 'x-tenant-id'])
    expect(preflight.headers.has('access-control-allow-credentials')).to.equal(false)
    const response = await call(`${service.baseUrl}/console/session.me`, {
      headers: { origin: dashboardOrigin },
    })
    expect(response.status).to.equal(401)
    expect(response.headers.get('access-control-allow-origin')).to.equal(dashboardOrigin)
    expect(response.headers.get('vary')).to.match(/origin/i)
  })

  it('do not allow another origin on the console', async () => {
    const url = `${service.baseUrl}/console/session.me`
    for (const origin of foreignOrigins) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await call(url, { method, headers: { origin } })
        expect(corsHeaders(headers), origin).to.deep.equal([])
        expect(headers.get('vary')).to.match(/origin/i)
      }
    }
  })
})

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter(name => name.startsWith('access-control-'))
}
