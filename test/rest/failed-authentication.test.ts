import { expect } from 'chai'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { expectError, expectRateLimitHeaders } from '#test/support/expect-error.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { statementsDuring } from '#test/support/statements-during.ts'
import { type ApiResponse, call, tenantClient } from '#test/support/tenant-client.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import { createTestTenant } from '#test/support/test-service.ts'
import { useService } from '#test/support/use-service.ts'

const failuresMax = 60

function describeFailures(options: { redis: boolean }): void {
  const clock = createTestClock()
  const service = useService({ clock, env: { TRUST_PROXY: '1' }, ...options })
  beforeEach(() => clock.advance(60_000))

  const validate = (apiKey: string, address: string) =>
    tenantClient(service, { apiKey }).send('/tokens/validate', {
      method: 'POST',
      json: { token: 'x' },
      headers: { 'x-forwarded-for': address },
    })

  async function failOften(address: string, apiKey: () => string): Promise<void> {
    for (let count = 0; count < failuresMax; count++) {
      expectError(await validate(apiKey(), address), 'UNAUTHENTICATED_TENANT')
    }
  }

  function expectLimited(response: ApiResponse): void {
    expectError(response, 'RATE_LIMIT_EXCEEDED')
    expectRateLimitHeaders(response, false)
    expect(Number(response.headers.get('retry-after'))).to.be.within(1, 60)
  }

  it('returns 401 for 60 failures a minute and address, then 429 with Retry-After, and 401 again a minute later', async () => {
    await failOften('203.0.113.1', () => 'avk_mistyped')
    expectLimited(await validate('avk_mistyped', '203.0.113.1'))
    expectLimited(await validate(newKeyValue(), '203.0.113.1'))
    expectError(await validate('avk_mistyped', '203.0.113.2'), 'UNAUTHENTICATED_TENANT')
    clock.advance(60_000)
    expectError(await validate('avk_mistyped', '203.0.113.1'), 'UNAUTHENTICATED_TENANT')
  })

  it('never limits a valid key by address, not even the first request of a key that is new', async () => {
    const known = await createTestTenant(service)
    expect((await validate(known.apiKey, '203.0.113.3')).status).to.equal(200)
    await failOften('203.0.113.3', () => newKeyValue())
    expectLimited(await validate(newKeyValue(), '203.0.113.3'))
    const created = await createTestTenant(service)
    for (const { apiKey } of [known, created]) {
      expect((await validate(apiKey, '203.0.113.3')).status).to.equal(200)
    }
  })

  it('looks an unknown key up once a minute', async () => {
    const apiKey = newKeyValue()
    const lookUps = async (requests: number) => {
      const sent = await statementsDuring(async () => {
        for (let count = 0; count < requests; count++) await validate(apiKey, '203.0.113.4')
      })
      return sent.filter(name => name === 'find-key-access').length
    }
    expect(await lookUps(2 * failuresMax)).to.equal(1)
    clock.advance(60_000)
    expect(await lookUps(1)).to.equal(1)
  })

  it('counts failures of the console with those of the tenant API', async () => {
    const me = () =>
      call(`${service.baseUrl}/console/session.me`, { headers: { 'x-forwarded-for': '203.0.113.5' } })
    await failOften('203.0.113.5', () => 'avk_mistyped')
    const limited = await me()
    expect([limited.status, limited.body.error.data.error]).to.deep.equal([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(limited.headers.get('retry-after'))).to.be.within(1, 60)
    clock.advance(60_000)
    expect((await me()).status).to.equal(401)
  })
}

describe('Failed authentications, with rate limits in memory', () => describeFailures({ redis: false }))

describeWithRedis('Failed authentications, with rate limits in Redis', () =>
  describeFailures({ redis: true }),
)
