import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { serverClockQuery } from '#domain/postgres/index.ts'
import { forTenant } from '#domain/scope.ts'
import { describeWithRedis } from '../harness/engines/redis.ts'
import { sendToRedis } from '../harness/engines/redis-servers.ts'
import { expectError, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { inWaves } from '../harness/in-waves.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { type ApiResponse, call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'

const failuresMax = 60
const concurrentRequests = 10
/** What the pool's heartbeat and the recorder of uses send, whoever asks for something. */
const background = [serverClockQuery, 'record-key-use', 'add-key-requests']

function describeFailures(options: { redis: boolean }): void {
  const clock = createTestClock()
  const env = { TRUST_PROXY: '1', MAX_CONCURRENT_REQUESTS: String(concurrentRequests) }
  const service = useService({ clock, env, ...options })
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

  async function lookUpsDuring(work: () => Promise<unknown>): Promise<number> {
    return (await statementsDuring(work)).filter(name => name === 'find-key-access').length
  }

  /** Commands that change keys, by clients or scripts, since the server started. */
  async function writesToRedis(): Promise<number> {
    if (!service.redis) return 0
    const info = String(await sendToRedis(service.redis.url, ['INFO', 'commandstats']))
    const calls = [...info.matchAll(/^cmdstat_(?:set|del|incr|hset|pexpire):calls=(\d+)/gm)]
    return calls.reduce((sum, [, count]) => sum + Number(count), 0)
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

  it('never limits a valid key by address, cached or not', async () => {
    const { apiKey, tenantId } = await createTestTenant(service)
    expect((await validate(apiKey, '203.0.113.3')).status).to.equal(200)
    await failOften('203.0.113.3', () => newKeyValue())
    expectLimited(await validate(newKeyValue(), '203.0.113.3'))
    expect((await validate(apiKey, '203.0.113.3')).status).to.equal(200)
    await service.operator().keyCache.invalidateTenant(tenantId, clock())
    expect((await validate(apiKey, '203.0.113.3')).status).to.equal(200)
  })

  it('looks a key that was never used up once its address has failed less often', async () => {
    await failOften('203.0.113.6', () => newKeyValue())
    const { apiKey } = await createTestTenant(service)
    expectLimited(await validate(apiKey, '203.0.113.6'))
    expect((await validate(apiKey, '203.0.113.7')).status).to.equal(200)
    expect((await validate(apiKey, '203.0.113.6')).status).to.equal(200)
  })

  it('returns 401 each time for a key that was revoked or has expired, whatever its address has done, and counts none', async () => {
    const { apiKey: revoked, apiKeyId, tenantId } = await createTestTenant(service)
    const scope = forTenant(service.operator(), tenantId)
    const expiresAt = new Date(clock().getTime() + 1)
    const { value: expired } = await createApiKey(scope, { name: 'expired', expiresAt })
    clock.advance(1)
    expect((await validate(revoked, '203.0.113.8')).status).to.equal(200)
    await revokeApiKey(scope, { apiKeyId })
    const lookUps = await lookUpsDuring(async () => {
      for (let count = 0; count <= failuresMax / 2; count++) {
        for (const apiKey of [revoked, expired]) {
          expectError(await validate(apiKey, '203.0.113.8'), 'UNAUTHENTICATED_TENANT')
        }
      }
      await failOften('203.0.113.8', () => 'avk_mistyped')
      expectLimited(await validate('avk_mistyped', '203.0.113.8'))
      for (const apiKey of [revoked, expired]) {
        expectError(await validate(apiKey, '203.0.113.8'), 'UNAUTHENTICATED_TENANT')
      }
    })
    expect(lookUps).to.equal(2)
  })

  it('looks up 60 of 200 unknown keys of an address, and writes nothing for the others', async () => {
    const unlimited = await lookUpsDuring(() => failOften('203.0.113.9', () => newKeyValue()))
    expect(unlimited).to.equal(failuresMax)
    const before = await writesToRedis()
    const limited = async () => expectLimited(await validate(newKeyValue(), '203.0.113.9'))
    const sent = await statementsDuring(() => inWaves(200 - failuresMax, limited))
    // The pool may open a connection meanwhile.
    const isOfRequests = (statement: string) =>
      !background.includes(statement) && !/^set |pg_is_in_recovery/.test(statement)
    expect(sent.filter(isOfRequests)).to.deep.equal([])
    // The service itself writes now and then, and none of the 140 requests does.
    expect((await writesToRedis()) - before).to.be.below(failuresMax)
  })

  it('looks up no more of concurrent ones than the process works on at a time', async () => {
    const lookUps = await lookUpsDuring(() => inWaves(200, () => validate(newKeyValue(), '203.0.113.10')))
    expect(lookUps).to.be.within(failuresMax, failuresMax + concurrentRequests)
  })

  it('looks an unknown key up once a minute', async () => {
    const apiKey = newKeyValue()
    const lookUps = (requests: number) =>
      lookUpsDuring(async () => {
        for (let count = 0; count < requests; count++) await validate(apiKey, '203.0.113.4')
      })
    expect(await lookUps(failuresMax)).to.equal(1)
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
