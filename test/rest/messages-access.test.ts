import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { setSubscription, setTenantEnabled, setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { monthEnd, secondsUntil } from '#domain/usage/usage-period.ts'
import { unusableKey } from '#rest/unusable-key.ts'
import { expectError, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { type ApiResponse, call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

const send = 'Send your API key in the header x-tenant-api-key.'
const notAKey =
  'The value of x-tenant-api-key is not an API key: a key begins with avk_ and has 53, or begins with avk_test_ and has 58 characters.'
const notAlone = 'The header x-tenant-api-key has something before the API key. Send the key alone.'
const twice = 'The header x-tenant-api-key has more than one API key. Send one.'
const elsewhere = (header: string) => `${header} is not accepted here. ${send}`
const mistyped = (fault: string) =>
  `The API key is mistyped or cut short: ${fault}. A lost key is replaced by creating a new one.`
const inHeader = (value: string) => ({ 'x-tenant-api-key': value })

const key = newKeyValue()
/** The headers of a request whose key can't be one, by the reason in the details. */
const unusable: Record<string, [headers: IncomingHttpHeaders, message: string][]> = {
  missing: [
    [{}, `No API key was sent. ${send}`],
    [inHeader(''), `The header x-tenant-api-key is empty. ${send}`],
  ],
  unsupported_header: [
    [{ authorization: `Bearer ${key}` }, elsewhere('Authorization: Bearer')],
    [{ authorization: `Basic ${btoa(`${key}:`)}` }, elsewhere('The header Authorization')],
    [{ 'x-api-key': key }, elsewhere('The header X-API-Key')],
  ],
  malformed: [
    [inHeader('YOUR_API_KEY'), notAKey],
    [inHeader(`whsec_${'x'.repeat(43)}`), notAKey],
    [inHeader(key.slice(0, 40)), mistyped('it has 40 characters instead of 53')],
    [inHeader(`${key}x`), mistyped('it has 54 characters instead of 53')],
    [inHeader(key.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))), mistyped('its checksum is wrong')],
    [inHeader(`${key}, ${key}`), twice],
    [inHeader(`Bearer ${key}`), notAlone],
    [inHeader(`"${key}"`), notAlone],
  ],
}

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

  for (const [reason, requests] of Object.entries(unusable)) {
    for (const [headers, message] of requests) {
      it(`is about what the request shows: ${message}`, () => {
        const error = unusableKey(headers)
        expect(error).to.deep.include({ code: 'UNAUTHENTICATED_TENANT', message, details: { reason } })
      })
    }
  }

  it('names the header in which a key is expected', async () => {
    const headers = { authorization: `Bearer ${tenant.apiKey}` }
    const response = await call(`${service.baseUrl}/verify/start`, { method: 'POST', headers })
    const details = { reason: 'unsupported_header' }
    expectMessage(response, 'UNAUTHENTICATED_TENANT', elsewhere('Authorization: Bearer'), details)
  })

  it('names the scope that a key lacks', async () => {
    const { value } = await createApiKey(operator(), { name: 'reader', scopes: ['verifications:read'] })
    const response = await tenantClient(service, { apiKey: value }).start()
    const message =
      'This key lacks the scope verifications:write. Use a key that has it; scopes are chosen when a key is created.'
    expectMessage(response, 'FORBIDDEN', message, { requiredScope: 'verifications:write' })
  })

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
      const end = monthEnd(clock())
      const resetsAt = end.toISOString()
      const retryAfterSeconds = secondsUntil(end, clock())
      const message =
        `The plan's ${name} is reached (1); it resets at ${resetsAt.replace('.000Z', 'Z')}. ` +
        "Don't wait for it: ask the operator of this service for a larger plan."
      expectMessage(response, code, message, { limit: 1, used: 1, resetsAt, retryAfterSeconds })
      expect(response.headers.get('retry-after')).to.equal(String(retryAfterSeconds))
      expectRateLimitHeaders(response, true)
    })
  }
})
