import { expect } from 'chai'
import { endpoints } from '#rest/router.ts'
import { sendRaw } from '#test/support/raw-http.ts'
import { type Call, call, tenantClient } from '#test/support/tenant-client.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '#test/support/test-service.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const dashboardOrigin = 'https://dashboard.example'
const foreignOrigins = [
  ...['https://evil.example', 'http://dashboard.example', 'https://dashboard.example:8443', 'null'],
  ...['https://dashboard.example.evil.example', 'https://sub.dashboard.example'],
]

describe('The headers of every answer', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startTestService({ env: { DASHBOARD_URL: `${dashboardOrigin}/app` } })
    tenant = await createTestTenant(service)
  })
  after(() => service.close())

  const answers: [string, string, Call][] = [
    ...endpoints.map(({ method, path }): [string, string, Call] => [`${method} ${path}`, path, { method }]),
    ['an unknown route', '/nowhere', {}],
    ['the console', '/console/session.me', {}],
    ['/health/live', '/health/live', {}],
    ['/health/ready', '/health/ready', {}],
    ['/openapi.json', '/openapi.json', {}],
  ]
  for (const [title, path, options] of answers) {
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

  it('let nothing of a tenant be kept by caches', async () => {
    const client = tenantClient(service, tenant)
    const started = await client.start()
    for (const answer of [
      started,
      await client.status(started.body.verificationId),
      await client.validate('x'),
    ]) {
      expect(answer.headers.get('cache-control')).to.equal('no-store')
    }
  })

  it('name each request anew, whatever name the client gives it', async () => {
    const headers = { 'x-request-id': 'mine' }
    const one = await call(`${service.baseUrl}/nowhere`, { headers })
    const two = await call(`${service.baseUrl}/nowhere`, { headers })
    expect(one.headers.get('x-request-id')).to.match(uuid)
    expect(one.headers.get('x-request-id')).not.to.equal(two.headers.get('x-request-id'))
  })

  it('promise https where the service is reached by it, and not elsewhere', async () => {
    const plain = await call(`${service.baseUrl}/health/live`)
    expect(plain.headers.has('strict-transport-security')).to.equal(false)
    const secure = await startTestService({ env: { BASE_URL: 'https://api.example' } })
    try {
      const local = `http://127.0.0.1:${secure.services.config.PORT}`
      const answer = await call(`${local}/health/live`)
      expect(answer.headers.get('strict-transport-security')).to.match(/^max-age=31536000/)
    } finally {
      await secure.close()
    }
  })

  for (const { method, path } of endpoints) {
    it(`let no other site in: ${method} ${path}`, async () => {
      for (const origin of [dashboardOrigin, ...foreignOrigins]) {
        const key = { 'x-tenant-api-key': tenant.apiKey }
        const answer = await call(`${service.baseUrl}${path}`, { method, headers: { ...key, origin } })
        const preflight = await call(`${service.baseUrl}${path}`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': method },
        })
        expect(preflight.status).to.equal(404)
        for (const { headers } of [answer, preflight]) expect(corsHeaders(headers)).to.deep.equal([])
      }
    })
  }

  it('let the dashboard in to the console', async () => {
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
    const answer = await call(`${service.baseUrl}/console/session.me`, {
      headers: { origin: dashboardOrigin },
    })
    expect(answer.status).to.equal(401)
    expect(answer.headers.get('access-control-allow-origin')).to.equal(dashboardOrigin)
    expect(answer.headers.get('vary')).to.match(/origin/i)
  })

  for (const origin of foreignOrigins) {
    it(`let ${origin} not in to the console`, async () => {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await call(`${service.baseUrl}/console/session.me`, {
          method,
          headers: { origin },
        })
        expect(corsHeaders(headers)).to.deep.equal([])
        expect(headers.get('vary')).to.match(/origin/i)
      }
    })
  }

  it('tell nothing of the machine where Node itself answers', async () => {
    const { headers } = await sendRaw(service.baseUrl, 'nonsense\r\n\r\n')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(headers.has('server')).to.equal(false)
  })
})

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter(name => name.startsWith('access-control-'))
}
