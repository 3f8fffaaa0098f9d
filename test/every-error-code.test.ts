import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { definePlan, type PlanDefinition } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { errorsOf } from '#rest/openapi.ts'
import { endpoints } from '#rest/router.ts'
import { setReachable } from './harness/database-outage.ts'
import { describeWithRedis } from './harness/engines/redis.ts'
import { expectError, expectRateLimitHeaders } from './harness/expect-error.ts'
import { type ApiResponse, call, tenantClient } from './harness/tenant-client.ts'
import { createTestClock } from './harness/test-clock.ts'
import { useNewTenant, useService } from './harness/use-service.ts'

/** Only the console has settings that depend on other settings, and users without a tenant. */
const consoleCodes = ['NOT_PROVISIONED', 'TENANT_NOT_PROVISIONED'] as const
type ConsoleCode = (typeof consoleCodes)[number]
/** In the suite that stops Redis, in every-endpoint.test.ts. */
type RedisCode = 'REDIS_ERROR'

function describeEveryCode(options: { redis: boolean }): void {
  const clock = createTestClock()
  const service = useService({ clock, ...options })
  beforeEach(() => clock.advance(60_000))
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  const operator = () => forTenant(service.operator(), tenant.tenantId)

  async function startOnPlan(plan: PlanDefinition): Promise<ApiResponse> {
    await definePlan(service.operator(), plan)
    await setTenantPlan(operator(), { plan: plan.name })
    return await client.start()
  }

  async function startOverQuota(plan: PlanDefinition): Promise<ApiResponse> {
    const response = await startOnPlan(plan)
    expectRateLimitHeaders(response, true)
    expect(response.headers.get('retry-after')).to.equal(String(response.body.details.retryAfterSeconds))
    return response
  }

  const setProviderMode = (createSession: string) =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })

  /** A request for each code, which has it as its response. A code without one doesn't compile. */
  const requests: Record<Exclude<ErrorCode, ConsoleCode | RedisCode>, () => Promise<ApiResponse>> = {
    UNAUTHENTICATED_TENANT: () => tenantClient(service, { apiKey: 'unknown' }).start(),
    FORBIDDEN: async () => {
      const scopes = ['verifications:read' as const]
      const { value } = await createApiKey(operator(), { name: 'reader', scopes })
      return await tenantClient(service, { apiKey: value }).start()
    },
    INVALID_REQUEST_BODY: () => client.start({ unknown: 1 }),
    INVALID_PARAMETERS: () => client.status('x'),
    ROUTE_NOT_FOUND: () => call(`${service.baseUrl}/nowhere`),
    VERIFICATION_NOT_FOUND: () => client.status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'),
    VERIFICATION_ALREADY_COMPLETED: async () => client.submit(await client.decided('decline')),
    VERIFICATION_MUST_USE_WEBHOOK: () => client.send('/verify/complete', { method: 'POST' }),
    RATE_LIMIT_EXCEEDED: async () => {
      await startOnPlan({ name: 'one-per-minute', rateLimitPerMinute: 1 })
      return await client.start()
    },
    QUOTA_EXCEEDED: () => startOverQuota({ name: 'no-quota', monthlyQuota: 0, hardLimit: 1 }),
    HARD_LIMIT_EXCEEDED: () => startOverQuota({ name: 'no-start', monthlyQuota: 0, hardLimit: 0 }),
    BILLING_INACTIVE: async () => {
      await setSubscription(operator(), { state: 'inactive' })
      return await client.start()
    },
    TENANT_INACTIVE: async () => {
      await setTenantEnabled(operator(), { enabled: false })
      return await client.start()
    },
    INTERNAL_ERROR: async () => {
      await setProviderMode('error-500')
      return await client.start().finally(() => setProviderMode('ok'))
    },
    DATABASE_ERROR: async () => {
      await setReachable(service.databaseUrl, false)
      return await client.start().finally(() => setReachable(service.databaseUrl, true))
    },
  }

  for (const [code, send] of Object.entries(requests)) {
    it(`is returned: ${code}`, async () => {
      expectError(await send(), code as ErrorCode)
    })
  }
}

describe('Every error code', () => {
  it('is declared by an endpoint, except those of the router and of the console', () => {
    const declaredByEndpoints = endpoints.flatMap(errorsOf)
    for (const code of consoleCodes) expect(declaredByEndpoints).not.to.include(code)
    const declared = new Set<ErrorCode>([...declaredByEndpoints, 'ROUTE_NOT_FOUND', ...consoleCodes])
    expect([...declared].sort()).to.deep.equal(Object.keys(errorCatalogue).sort())
  })

  describe('with rate limits in memory', () => describeEveryCode({ redis: false }))

  describeWithRedis('with rate limits in Redis', () => describeEveryCode({ redis: true }))
})
