import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { expectError, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { type ApiResponse, call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

const send = 'Send your API key in the header x-tenant-api-key.'
const lost = 'A lost key is replaced by creating a new one.'
const notAKey =
  'The value of x-tenant-api-key is not an API key: a key begins with avk_ and has 53 characters.'

/** The headers of a request with a key that can't be one, by the key that the tenant has. */
const unusable: [
  title: string,
  headers: (key: string) => Record<string, string>,
  message: string,
  reason: string,
][] = [
  ['no header', () => ({}), `No API key was sent. ${send}`, 'missing'],
  [
    'an empty header',
    () => ({ 'x-tenant-api-key': '' }),
    `The header x-tenant-api-key is empty. ${send}`,
    'missing',
  ],
  [
    'Authorization: Bearer',
    key => ({ authorization: `Bearer ${key}` }),
    `Authorization: Bearer is not accepted here. ${send}`,
    'unsupported_header',
  ],
  [
    'another Authorization',
    key => ({ authorization: `Basic ${btoa(`${key}:`)}` }),
    `The header Authorization is not accepted here. ${send}`,
    'unsupported_header',
  ],
  [
    'X-API-Key',
    key => ({ 'X-API-Key': key }),
    `The header X-API-Key is not accepted here. ${send}`,
    'unsupported_header',
  ],
  ['a placeholder', () => ({ 'x-tenant-api-key': 'YOUR_API_KEY' }), notAKey, 'malformed'],
  ["a webhook's secret", () => ({ 'x-tenant-api-key': `whsec_${'x'.repeat(43)}` }), notAKey, 'malformed'],
  [
    'a key that is cut short',
    key => ({ 'x-tenant-api-key': key.slice(0, 40) }),
    `The API key is mistyped or cut short: it has 40 characters instead of 53. ${lost}`,
    'malformed',
  ],
  [
    'a key with a character too many',
    key => ({ 'x-tenant-api-key': `${key}x` }),
    `The API key is mistyped or cut short: it has 54 characters instead of 53. ${lost}`,
    'malformed',
  ],
  [
    'a mistyped key',
    key => ({ 'x-tenant-api-key': key.replace(/.$/, last => (last === 'a' ? 'b' : 'a')) }),
    `The API key is mistyped or cut short: its checksum is wrong. ${lost}`,
    'malformed',
  ],
  [
    'a key twice',
    key => ({ 'x-tenant-api-key': `${key}, ${key}` }),
    'The header x-tenant-api-key has more than one API key. Send one.',
    'malformed',
  ],
  [
    'a key after Bearer',
    key => ({ 'x-tenant-api-key': `Bearer ${key}` }),
    'The header x-tenant-api-key has something before the API key. Send the key alone.',
    'malformed',
  ],
  [
    'a key in quotes',
    key => ({ 'x-tenant-api-key': `"${key}"` }),
    'The header x-tenant-api-key has something before the API key. Send the key alone.',
    'malformed',
  ],
]

const noRoute = 'No route matches the request.'
const routes: [request: string, message: string, allowedMethods?: string[]][] = [
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
  ['GET /verifications', `${noRoute} GET /openapi.json lists the endpoints.`],
  [`GET /${'verify/'.repeat(1000)}`, `${noRoute} GET /openapi.json lists the endpoints.`],
]

describe('The message about access', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  before(async () => {
    await definePlan(service.operator(), { name: 'quota', monthlyQuota: 1, hardLimit: 20_000 })
    await definePlan(service.operator(), { name: 'ceiling', monthlyQuota: 1, hardLimit: 1, overage: true })
  })
  const tenant = useNewTenant(service)
  beforeEach('in a new rate limit window', () => clock.advance(60_000))
  const client = tenantClient(service, tenant)
  const operator = () => forTenant(service.operator(), tenant.tenantId)

  function expectMessage(response: ApiResponse, code: ErrorCode, message: string, details?: object): void {
    expectError(response, code)
    expect(response.body.message).to.equal(message)
    expect(response.body.details).to.deep.equal(details)
  }

  for (const [title, headers, message, reason] of unusable) {
    it(`is about what the request shows: ${title}`, async () => {
      const response = await call(`${service.baseUrl}/verify/start`, {
        method: 'POST',
        headers: headers(tenant.apiKey),
      })
      expectMessage(response, 'UNAUTHENTICATED_TENANT', message, { reason })
    })
  }

  it('is the same for keys that are unknown, expired or revoked', async () => {
    const revoked = await createApiKey(operator(), { name: 'revoked' })
    await revokeApiKey(operator(), { apiKeyId: revoked.key.id })
    const expired = await createApiKey(operator(), {
      name: 'expired',
      expiresAt: new Date(clock().getTime() + 1),
    })
    clock.advance(1)
    for (const apiKey of [newKeyValue(), revoked.value, expired.value]) {
      expectMessage(
        await tenantClient(service, { apiKey }).start(),
        'UNAUTHENTICATED_TENANT',
        'The API key is unknown, expired or revoked. Use another one, or create one in the dashboard.',
        { reason: 'invalid' },
      )
    }
  })

  for (const [scope, path] of [
    ['verifications:write', '/verify/start'],
    ['tokens:validate', '/tokens/validate'],
  ] as const) {
    it(`names the scope that a key lacks: ${scope}`, async () => {
      const { value } = await createApiKey(operator(), { name: 'reader', scopes: ['verifications:read'] })
      const response = await tenantClient(service, { apiKey: value }).send(path, { method: 'POST', json: {} })
      const message = `This key lacks the scope ${scope}. Use a key that has it; scopes are chosen when a key is created.`
      expectMessage(response, 'FORBIDDEN', message, { requiredScope: scope })
    })
  }

  it('says whom to contact about a disabled tenant and an inactive subscription', async () => {
    await setSubscription(operator(), { state: 'inactive' })
    const inactive = 'The subscription is inactive. Contact the operator of this service.'
    expectMessage(await client.start(), 'BILLING_INACTIVE', inactive)
    await setTenantEnabled(operator(), { enabled: false })
    const disabled = 'The tenant account is disabled. Contact the operator of this service.'
    expectMessage(await client.start(), 'TENANT_INACTIVE', disabled)
  })

  for (const [plan, code, name] of [
    ['quota', 'QUOTA_EXCEEDED', 'monthly quota'],
    ['ceiling', 'HARD_LIMIT_EXCEEDED', 'absolute usage ceiling'],
  ] as const) {
    it(`has the numbers of the ${name}, and advises not to wait for the end of the month`, async () => {
      await setTenantPlan(operator(), { plan })
      expect((await client.start()).status).to.equal(201)
      const response = await client.start()
      const now = clock()
      const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
      const retryAfterSeconds = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)
      const time = resetsAt.toISOString().replace('.000Z', 'Z')
      const message =
        `The plan's ${name} is reached (1); it resets at ${time}. ` +
        "Don't wait for it: ask the operator of this service for a larger plan."
      expectMessage(response, code, message, {
        limit: 1,
        used: 1,
        resetsAt: resetsAt.toISOString(),
        retryAfterSeconds,
      })
      expect(response.headers.get('retry-after')).to.equal(String(retryAfterSeconds))
      expectRateLimitHeaders(response, true)
    })
  }

  for (const [request, message, allowedMethods] of routes) {
    it(`of ${request.slice(0, 40)} names the route that is meant`, async () => {
      const [method, path] = request.split(' ') as ['GET', string]
      const response = await call(`${service.baseUrl}${path}`, { method })
      expectMessage(response, 'ROUTE_NOT_FOUND', message, allowedMethods && { allowedMethods })
      expect(response.headers.has('allow')).to.equal(false)
    })
  }
})
