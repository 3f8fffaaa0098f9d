import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { type ErrorCode, errorCatalogue } from '#domain/errors.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import type { TenantEndpoint } from '#rest/endpoint.ts'
import { errorsOf } from '#rest/openapi.ts'
import { endpoints } from '#rest/router.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { setReachable } from '#test/support/database-outage.ts'
import { expectError, expectIssueAt } from '#test/support/expect-error.ts'
import { sendCallback } from '#test/support/provider-callback.ts'
import { describeWithRedis, redisIsMissing, startTestRedis, type TestRedis } from '#test/support/redis.ts'
import { stored } from '#test/support/stored.ts'
import { type Answer, type Call, call, tenantClient } from '#test/support/tenant-client.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '#test/support/test-service.ts'

const tenantEndpoints = endpoints.filter((one): one is TenantEndpoint => one.access.by === 'tenant')
const clock = createTestClock()
const reached = new Set<ErrorCode>()

const someId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'

/** A request that is right in all but, where asked for, its input. */
function requestTo(
  { method, path, query }: TenantEndpoint,
  input: 'good' | 'bad',
  id = someId,
): [string, Call] {
  if (method === 'GET') return [`${path}?verificationId=${input === 'good' ? id : 'x'}`, { method }]
  if (query) return [path, { method, json: { verificationId: id } }]
  if (input === 'bad') return [path, { method, json: { unknown: 1 } }]
  const bodies: Record<string, unknown> = {
    '/verify/start': {},
    '/verify/submit': { verificationId: id },
    '/tokens/validate': { token: 'x' },
  }
  expect(bodies, 'a body for every endpoint').to.have.property(path)
  return [path, { method, json: bodies[path] }]
}

function expectReached(answer: Answer, code: ErrorCode): void {
  expectError(answer, code)
  reached.add(code)
}

/** From the rate limit on, every answer tells the window; none before it. */
function expectWindow(answer: Answer, told: boolean): void {
  for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(answer.headers.has(header), header).to.equal(told)
    if (told) expect(answer.headers.get(header)).to.match(/^\d+$/)
  }
}

function walkEveryEndpoint(openRedis: () => Promise<TestRedis | undefined>): void {
  let service: TestService
  let redis: TestRedis | undefined
  let tenant: TestTenant
  before(async () => {
    redis = await openRedis()
    service = await startTestService({ clock, ...(redis ? { redisUrl: redis.url } : {}) })
    await definePlan(service.operator(), { name: 'tiny', rateLimitPerMinute: 1, readRateLimitPerMinute: 1 })
  })
  after(async () => {
    await service?.close()
    await redis?.close()
  })
  beforeEach(async () => {
    clock.advance(60_000)
    tenant = await createTestTenant(service)
  })

  const send = ([path, options]: [string, Call], headers: Record<string, string>) =>
    call(`${service.baseUrl}${path}`, { ...options, headers })
  const withKey = (key: string) => ({ 'x-tenant-api-key': key })

  const key = async (more: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
    await createApiKey(forTenant(service.operator(), tenant.tenantId), { name: 'walk', ...more })

  async function deprovision(): Promise<void> {
    await stored(service, 'update tenant set provisioned_at = null where id = $1', [tenant.tenantId])
    await service.operator().keyCache.invalidateTenant(tenant.tenantId)
  }

  for (const endpoint of tenantEndpoints) {
    const { method, path, access } = endpoint
    const bad = requestTo(endpoint, 'bad')
    const lacking = access.scope === 'verifications:write' ? 'verifications:read' : 'verifications:write'

    describe(`${method} ${path}`, () => {
      it('looks at the key first: missing, mistyped, unknown, expired and revoked ones are the same 401', async () => {
        const revoked = await key()
        expect((await send(bad, withKey(revoked.value))).status).to.equal(400)
        await revokeApiKey(forTenant(service.operator(), tenant.tenantId), { apiKeyId: revoked.key.id })
        const expired = await key({ expiresAt: clock() })
        const mistyped = tenant.apiKey.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))
        const values = [mistyped, newKeyValue(), expired.value, revoked.value, '', 'null', 'avk_']
        const answers = [await send(bad, {})]
        for (const value of values) answers.push(await send(bad, withKey(value)))
        for (const answer of answers) {
          expectReached(answer, 'UNAUTHENTICATED_TENANT')
          expectWindow(answer, false)
        }
        expect(new Set(answers.map(({ body }) => body.message)).size).to.equal(1)
      })

      it('takes the key from its own header only', async () => {
        const { apiKey } = tenant
        for (const headers of [
          { authorization: `Bearer ${apiKey}` },
          { 'x-api-key': apiKey },
          { authorization: apiKey },
          { cookie: `x-tenant-api-key=${apiKey}` },
          { 'x-tenant-api-key': `Bearer ${apiKey}` },
          { 'x-tenant-api-key': `${apiKey}, ${apiKey}` },
        ]) {
          expectReached(await send(requestTo(endpoint, 'good'), headers as never), 'UNAUTHENTICATED_TENANT')
        }
        const inQuery = await call(`${service.baseUrl}${path}?x-tenant-api-key=${apiKey}`, { method })
        expectError(inQuery, 'UNAUTHENTICATED_TENANT')
      })

      it('checks in the order: tenant, provisioning, scope, subscription, rate limit, input', async () => {
        const operator = service.operator()
        const { tenantId } = tenant
        const full = await key()
        const scoped = await key({ scopes: [lacking] })
        await setTenantPlan(forTenant(operator, tenantId), { plan: 'tiny' })
        const expectBoth = async (codes: { scoped: ErrorCode; full: ErrorCode }) => {
          for (const [value, code] of [
            [scoped.value, codes.scoped],
            [full.value, codes.full],
          ] as const) {
            const answer = await send(bad, withKey(value))
            expectReached(answer, code)
            expectWindow(answer, false)
          }
        }
        await setSubscription(forTenant(operator, tenantId), { state: 'inactive' })
        await expectBoth({ scoped: 'FORBIDDEN', full: 'BILLING_INACTIVE' })
        await deprovision()
        await expectBoth({ scoped: 'TENANT_NOT_PROVISIONED', full: 'TENANT_NOT_PROVISIONED' })
        await setTenantEnabled(forTenant(operator, tenantId), { enabled: false })
        await expectBoth({ scoped: 'TENANT_INACTIVE', full: 'TENANT_INACTIVE' })
      })

      it('counts a request with bad input, and refuses the next one before it looks at the input', async () => {
        await setTenantPlan(forTenant(service.operator(), tenant.tenantId), { plan: 'tiny' })
        const first = await send(bad, withKey(tenant.apiKey))
        expect(first.status).to.equal(400)
        expectWindow(first, true)
        const second = await send(bad, withKey(tenant.apiKey))
        expectReached(second, 'RATE_LIMIT_EXCEEDED')
        expectWindow(second, true)
        expect(second.headers.get('x-ratelimit-remaining')).to.equal('0')
        const retryAfter = Number(second.headers.get('retry-after'))
        expect(retryAfter).to.be.within(1, 60)
        expect(second.body.details).to.deep.equal({ retryAfterSeconds: retryAfter })
      })

      it('tells the window on every answer from there on, the good and the bad', async () => {
        const limit = access.rateClass === 'write' ? '60' : '6000'
        for (const input of ['good', 'bad'] as const) {
          const answer = await send(requestTo(endpoint, input), withKey(tenant.apiKey))
          expectWindow(answer, true)
          expect(answer.headers.get('x-ratelimit-limit')).to.equal(limit)
          const reset = Number(answer.headers.get('x-ratelimit-reset')) * 1000
          expect(reset % 60_000).to.equal(0)
          expect(reset - clock().getTime()).to.be.within(1, 60_000)
        }
      })

      it('names its input faults', async () => {
        const answer = await send(bad, withKey(tenant.apiKey))
        if (path === '/verify/complete') return expectReached(answer, 'VERIFICATION_MUST_USE_WEBHOOK')
        if (method === 'GET') expectIssueAt(answer, 'verificationId', 'INVALID_PARAMETERS')
        else expectIssueAt(answer, 'unknown')
        reached.add(answer.body.error)
      })

      if (path !== '/verify/complete') {
        it('refuses unknown and repeated parameters', async () => {
          const [target, options] = requestTo(endpoint, 'good')
          const join = target.includes('?') ? '&' : '?'
          for (const [query, at] of [
            ['extra=1', 'extra'],
            ['extra=1&extra=2', 'extra'],
            ['__proto__=1', '__proto__'],
            ['constructor=1', 'constructor'],
            ['toString', 'toString'],
            ['=1', ''],
          ] as const) {
            const answer = await send([`${target}${join}${query}`, options], withKey(tenant.apiKey))
            expectIssueAt(answer, at, 'INVALID_PARAMETERS')
          }
        })
      }

      if (errorsOf(endpoint).includes('VERIFICATION_NOT_FOUND')) {
        it("does not tell another tenant's verification from one that is not there", async () => {
          const { verificationId } = (await tenantClient(service, tenant).start()).body
          const stranger = withKey((await createTestTenant(service)).apiKey)
          const strangers = await send(requestTo(endpoint, 'good', verificationId), stranger)
          const nobodys = await send(requestTo(endpoint, 'good', someId), stranger)
          for (const answer of [strangers, nobodys]) expectReached(answer, 'VERIFICATION_NOT_FOUND')
          expect(strangers.body.message).to.equal(nobodys.body.message)
          const own = await send(requestTo(endpoint, 'good', verificationId), withKey(tenant.apiKey))
          expect(own.status).to.equal(200)
        })
      }
    })
  }

  describe('The other codes', () => {
    it('VERIFICATION_ALREADY_COMPLETED', async () => {
      const client = tenantClient(service, tenant)
      const verificationId = await client.decided('decline')
      expectReached(await client.submit(verificationId), 'VERIFICATION_ALREADY_COMPLETED')
    })

    it('QUOTA_EXCEEDED and HARD_LIMIT_EXCEEDED', async () => {
      for (const [plan, code] of [
        [{ name: 'no-quota', monthlyQuota: 0, hardLimit: 1 }, 'QUOTA_EXCEEDED'],
        [{ name: 'no-start', monthlyQuota: 0, hardLimit: 0 }, 'HARD_LIMIT_EXCEEDED'],
      ] as const) {
        await definePlan(service.operator(), plan)
        await setTenantPlan(forTenant(service.operator(), tenant.tenantId), { plan: plan.name })
        const answer = await tenantClient(service, tenant).start()
        expectReached(answer, code)
        expectWindow(answer, true)
        expect(answer.headers.get('retry-after')).to.equal(String(answer.body.details.retryAfterSeconds))
      }
    })

    it('INTERNAL_ERROR', async () => {
      const mode = (createSession: string) =>
        call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })
      await mode('error-500')
      expectReached(await tenantClient(service, tenant).start(), 'INTERNAL_ERROR')
      await mode('ok')
    })

    it('ROUTE_NOT_FOUND', async () => {
      expectReached(await call(`${service.baseUrl}/nowhere`), 'ROUTE_NOT_FOUND')
    })
  })
}

describe('Every endpoint, with limits in memory', () => walkEveryEndpoint(async () => undefined))

describeWithRedis('Every endpoint, with limits in Redis', () => {
  walkEveryEndpoint(startTestRedis)
})

describe('Every endpoint while the database is away', () => {
  let service: TestService
  let database: TestDatabase
  let tenant: TestTenant
  before(async () => {
    database = await createTestDatabase()
    service = await startTestService({ databaseUrl: database.url })
    tenant = await createTestTenant(service)
    await setReachable(database.url, false)
  })
  after(async () => {
    await service?.close()
    await database.close()
  })

  for (const endpoint of endpoints) {
    it(`${endpoint.method} ${endpoint.path} is 500 DATABASE_ERROR`, async () => {
      const { access, path } = endpoint
      if (access.by === 'anyone') return expectReached(await call(service.baseUrl + path), 'DATABASE_ERROR')
      if (access.by === 'provider') {
        const event = { id: 'a', code: 7001, vendorData: someId }
        return expectReached(await sendCallback(service, event), 'DATABASE_ERROR')
      }
      const [target, options] = requestTo(endpoint as TenantEndpoint, 'good')
      expectReached(await tenantClient(service, tenant).send(target, options), 'DATABASE_ERROR')
    })
  }
})

describeWithRedis('Every endpoint while Redis is away', () => {
  let service: TestService
  let redis: TestRedis
  let tenant: TestTenant
  before(async function () {
    redis = await startTestRedis()
    if (!redis.process) this.skip()
    service = await startTestService({ redisUrl: redis.url })
    tenant = await createTestTenant(service)
    await redis.close()
  })
  after(() => service?.close())

  for (const endpoint of tenantEndpoints) {
    it(`${endpoint.method} ${endpoint.path} is 503 REDIS_ERROR`, async () => {
      const [path, options] = requestTo(endpoint, 'good')
      expectReached(await tenantClient(service, tenant).send(path, options), 'REDIS_ERROR')
    })
  }

  it('what needs no Redis goes on', async () => {
    expect((await call(`${service.baseUrl}/.well-known/jwks.json`)).status).to.equal(200)
    expect((await sendCallback(service, { id: 'a', code: 7001, vendorData: someId })).status).to.equal(200)
  })
})

describe('The table of codes', () => {
  /** Only the console has settings that something else depends on. */
  const consoleOnly: ErrorCode = 'NOT_PROVISIONED'

  it('is declared by some endpoint, but for what the console alone can meet', () => {
    const declared = new Set<ErrorCode>([...endpoints.flatMap(errorsOf), 'ROUTE_NOT_FOUND', consoleOnly])
    expect([...declared].sort()).to.deep.equal(Object.keys(errorCatalogue).sort())
  })

  it('was reached above, every code of it', () => {
    const expected = Object.keys(errorCatalogue).filter(code => code !== consoleOnly)
    const out = process.env.REDIS_URL || redisIsMissing() ? ['REDIS_ERROR'] : []
    expect([...reached, ...out].sort()).to.deep.equal(expected.sort())
  })
})
