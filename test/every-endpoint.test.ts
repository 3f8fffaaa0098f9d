import { expect } from 'chai'
import { errorsOf } from '#development/openapi/document.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import { forTenant } from '#domain/scope.ts'
import { setSubscription, setTenantEnabled, setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import type { Endpoint, TenantEndpoint } from '#rest/endpoint.ts'
import { endpoints } from '#rest/router.ts'
import { setReachable } from './harness/database-outage.ts'
import { expectError, expectIssueAt, expectRateLimitHeaders } from './harness/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from './harness/provider-callback.ts'
import { type ApiResponse, type Call, call, tenantClient } from './harness/tenant-client.ts'
import { createTestClock } from './harness/test-clock.ts'
import { createTestTenant, unavailableRedis } from './harness/test-service.ts'
import { useNewTenant, useService, useTenant } from './harness/use-service.ts'

const tenantEndpoints = endpoints.filter(endpoint => endpoint.kind === 'tenant')
const clock = createTestClock()

const someId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
const someEvent = { id: 'a', code: 7001, vendorData: someId }

/** With a verification in the path, if the endpoint has it there. */
const pathOf = (path: string, id: string) => path.replace('{id}', id)

/** A request to the endpoint that is correct in everything except, on demand, its input. */
function requestTo(
  { method, path: declared, query }: TenantEndpoint,
  input: 'valid' | 'invalid',
  id = someId,
): [string, Call] {
  const path = pathOf(declared, id)
  if (method === 'GET') return [`${path}?verificationId=${input === 'valid' ? id : 'x'}`, { method }]
  if (query) return [path, { method, json: { verificationId: id } }]
  if (input === 'invalid') return [path, { method, json: { unknown: 1 } }]
  const bodies: Record<string, unknown> = {
    '/verify/start': {},
    '/verify/submit': { verificationId: id },
    '/tokens/validate': { token: 'x' },
    '/test/verifications/{id}/outcome': { outcome: 'adult' },
  }
  expect(bodies, 'every endpoint needs a valid body here').to.have.property(declared)
  return [path, { method, json: bodies[declared] }]
}

describe('Every endpoint', () => {
  const service = useService({ clock })
  before(() =>
    definePlan(service.operator(), { name: 'tiny', rateLimitPerMinute: 1, readRateLimitPerMinute: 1 }),
  )
  beforeEach(() => clock.advance(60_000))
  const tenant = useNewTenant(service)

  const send = ([path, options]: [string, Call], headers: Record<string, string>) =>
    call(`${service.baseUrl}${path}`, { ...options, headers })
  const withKey = (key: string) => ({ 'x-tenant-api-key': key })

  const createKey = async (more: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
    await createApiKey(forTenant(service.operator(), tenant.tenantId), { name: 'test', ...more })

  for (const endpoint of tenantEndpoints) {
    const { method, path, access } = endpoint
    const invalid = requestTo(endpoint, 'invalid')
    const otherScope = access.scope === 'verifications:write' ? 'verifications:read' : 'verifications:write'

    describe(`${method} ${path}`, () => {
      it('checks the key first, and returns the same 401 for one that is unknown, expired or revoked', async () => {
        const revoked = await createKey()
        expect((await send(invalid, withKey(revoked.value))).status).to.equal(400)
        await revokeApiKey(forTenant(service.operator(), tenant.tenantId), { apiKeyId: revoked.key.id })
        const expired = await createKey({ expiresAt: new Date(clock().getTime() + 1) })
        clock.advance(1)
        const mistyped = tenant.apiKey.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))
        const unauthenticated = async (headers: Record<string, string>) => {
          const response = await send(invalid, headers)
          expectError(response, 'UNAUTHENTICATED_TENANT')
          expectRateLimitHeaders(response, false)
          const { requestId, ...said } = response.body
          return JSON.stringify(said)
        }
        await unauthenticated({})
        for (const value of [mistyped, '', 'null', 'avk_']) await unauthenticated(withKey(value))
        const said = new Set<string>()
        for (const value of [newKeyValue(), expired.value, revoked.value]) {
          said.add(await unauthenticated(withKey(value)))
        }
        expect([...said].map(text => JSON.parse(text))).to.deep.equal([
          {
            error: 'UNAUTHENTICATED_TENANT',
            message:
              'The API key is unknown, expired or revoked. Use another one, or create one in the dashboard.',
            details: { reason: 'invalid' },
          },
        ])
      })

      it('accepts the key in the x-tenant-api-key header only', async () => {
        const { apiKey } = tenant
        for (const headers of [
          { authorization: `Bearer ${apiKey}` },
          { 'x-api-key': apiKey },
          { authorization: apiKey },
          { cookie: `x-tenant-api-key=${apiKey}` },
          { 'x-tenant-api-key': `Bearer ${apiKey}` },
          { 'x-tenant-api-key': `${apiKey}, ${apiKey}` },
        ]) {
          expectError(await send(requestTo(endpoint, 'valid'), headers as never), 'UNAUTHENTICATED_TENANT')
        }
        const inQuery = await call(`${service.baseUrl}${path}?x-tenant-api-key=${apiKey}`, { method })
        expectError(inQuery, 'UNAUTHENTICATED_TENANT')
      })

      it('checks the tenant, scope and subscription, in this order, before the rate limit and the input', async () => {
        const operator = service.operator()
        const { tenantId } = tenant
        const full = await createKey()
        const scoped = await createKey({ scopes: [otherScope] })
        await setTenantPlan(forTenant(operator, tenantId), { plan: 'tiny' })
        const expectBoth = async (codes: { scoped: ErrorCode; full: ErrorCode }) => {
          for (const [value, code] of [
            [scoped.value, codes.scoped],
            [full.value, codes.full],
          ] as const) {
            const response = await send(invalid, withKey(value))
            expectError(response, code)
            expectRateLimitHeaders(response, false)
          }
        }
        await setSubscription(forTenant(operator, tenantId), { state: 'inactive' })
        await expectBoth({ scoped: 'FORBIDDEN', full: 'BILLING_INACTIVE' })
        await setTenantEnabled(forTenant(operator, tenantId), { enabled: false })
        await expectBoth({ scoped: 'TENANT_INACTIVE', full: 'TENANT_INACTIVE' })
      })

      it('counts a request with invalid input, and rejects the next one before it validates the input', async () => {
        await setTenantPlan(forTenant(service.operator(), tenant.tenantId), { plan: 'tiny' })
        const first = await send(invalid, withKey(tenant.apiKey))
        expect(first.status).to.equal(400)
        expectRateLimitHeaders(first, true)
        const second = await send(invalid, withKey(tenant.apiKey))
        expectError(second, 'RATE_LIMIT_EXCEEDED')
        expectRateLimitHeaders(second, true)
        expect(second.headers.get('x-ratelimit-remaining')).to.equal('0')
        const retryAfter = Number(second.headers.get('retry-after'))
        expect(retryAfter).to.be.within(1, 60)
        expect(second.body.details).to.deep.equal({ retryAfterSeconds: retryAfter })
      })

      it('returns the rate limit headers on every response after the rate limit check, successful or not', async () => {
        const limit = access.rateClass === 'write' ? '60' : '6000'
        for (const input of ['valid', 'invalid'] as const) {
          const response = await send(requestTo(endpoint, input), withKey(tenant.apiKey))
          expectRateLimitHeaders(response, true)
          expect(response.headers.has('idempotent-replayed')).to.equal(false)
          expect(response.headers.get('x-ratelimit-limit')).to.equal(limit)
          const reset = Number(response.headers.get('x-ratelimit-reset')) * 1000
          expect(reset % 60_000).to.equal(0)
          expect(reset - clock().getTime()).to.be.within(1, 60_000)
        }
      })

      it('names the invalid field', async () => {
        const response = await send(invalid, withKey(tenant.apiKey))
        if (path === '/verify/complete') return expectError(response, 'VERIFICATION_MUST_USE_WEBHOOK')
        if (method === 'GET') expectIssueAt(response, 'verificationId', 'INVALID_PARAMETERS')
        else expectIssueAt(response, 'unknown')
      })

      if (path !== '/verify/complete') {
        it('rejects unknown and repeated parameters', async () => {
          const [target, options] = requestTo(endpoint, 'valid')
          const join = target.includes('?') ? '&' : '?'
          for (const [query, at] of [
            ['extra=1', 'extra'],
            ['extra=1&extra=2', 'extra'],
            ['__proto__=1', '__proto__'],
            ['constructor=1', 'constructor'],
            ['toString', 'toString'],
            ['=1', ''],
          ] as const) {
            const response = await send([`${target}${join}${query}`, options], withKey(tenant.apiKey))
            expectIssueAt(response, at, 'INVALID_PARAMETERS')
          }
        })
      }

      if (errorsOf(endpoint).includes('VERIFICATION_NOT_FOUND')) {
        it("returns the same 404 for another tenant's verification as for an unknown one", async () => {
          const kind = { test: path.startsWith('/test/') }
          const [owner, other] = [
            await createTestTenant(service, kind),
            await createTestTenant(service, kind),
          ]
          const { verificationId } = (await tenantClient(service, owner).start()).body
          const otherKey = withKey(other.apiKey)
          const ofOtherTenant = await send(requestTo(endpoint, 'valid', verificationId), otherKey)
          const ofNobody = await send(requestTo(endpoint, 'valid', someId), otherKey)
          for (const response of [ofOtherTenant, ofNobody]) expectError(response, 'VERIFICATION_NOT_FOUND')
          expect(ofOtherTenant.body.message).to.equal(ofNobody.body.message)
          const own = await send(requestTo(endpoint, 'valid', verificationId), withKey(owner.apiKey))
          expect(own.status).to.equal(200)
        })
      }
    })
  }
})

describe('Every endpoint while the database is unavailable', () => {
  const service = useService()
  const tenant = useTenant(service)
  before(() => setReachable(service.databaseUrl, false))

  for (const endpoint of endpoints) {
    it(`returns 500 DATABASE_ERROR for ${endpoint.method} ${endpoint.path}, which must not be cached`, async () => {
      const response = await sendTo(endpoint)
      expectError(response, 'DATABASE_ERROR')
      expect(response.headers.get('cache-control')).to.equal('no-store')
    })
  }

  it('serves all again once it is available, the repeated callback included', async () => {
    await setReachable(service.databaseUrl, true)
    for (const endpoint of endpoints) expect((await sendTo(endpoint)).status).to.be.below(500)
    const client = tenantClient(service, tenant)
    const { verificationId } = (await client.start()).body
    const decision = decisionOn(await sessionOf(service, verificationId), 'approved')
    await setReachable(service.databaseUrl, false)
    expectError(await sendCallback(service, decision), 'DATABASE_ERROR')
    await setReachable(service.databaseUrl, true)
    expect((await sendCallback(service, decision)).status).to.equal(200)
    expect((await client.status(verificationId)).body.status).to.equal('approved')
  })

  async function sendTo(endpoint: Endpoint): Promise<ApiResponse> {
    const { path } = endpoint
    if (endpoint.kind === 'open') return await call(service.baseUrl + path.replace('{list}', '1'))
    if (endpoint.kind === 'provider') return await sendCallback(service, someEvent)
    return await tenantClient(service, tenant).send(...requestTo(endpoint, 'valid'))
  }
})

describe('Every endpoint while Redis is unavailable', () => {
  const service = useService({ redisUrl: unavailableRedis })
  const tenant = useTenant(service)

  for (const endpoint of tenantEndpoints) {
    it(`returns 503 REDIS_ERROR for ${endpoint.method} ${endpoint.path}`, async () => {
      const response = await tenantClient(service, tenant).send(...requestTo(endpoint, 'valid'))
      expectError(response, 'REDIS_ERROR')
    })
  }

  it('still returns 200 from the endpoints that need no Redis', async () => {
    expect((await call(`${service.baseUrl}/.well-known/jwks.json`)).status).to.equal(200)
    expect((await sendCallback(service, someEvent)).status).to.equal(200)
  })
})
