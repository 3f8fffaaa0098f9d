import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { hashKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { forTenant } from '#domain/scope.ts'
import { createMemoryRateLimiter } from '#server/admission/memory-rate-limiter.ts'
import { createUncachedKeyAdmission } from '#server/admission/uncached-key-admission.ts'
import { describeWithRedis, startTestRedis } from '../harness/engines/redis.ts'
import { sendToRedis } from '../harness/engines/redis-servers.ts'
import { metricOf } from '../harness/metrics.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describeWithRedis('Key admission with Redis', () => {
  const clock = createTestClock()
  const redis = useOpened(startTestRedis)
  const service = useService(() => ({ clock, redisUrl: redis.url }))
  beforeEach(() => clock.advance(60_000))
  const tenant = useNewTenant(service)

  const admit = (apiKey: string, { admission = service.services.keyAdmission, now = clock() } = {}) =>
    admission.admit({
      keyHash: hashKeyValue(apiKey),
      scope: 'tokens:validate',
      rateClass: 'read',
      now,
    })
  const createKey = async (options: Partial<Parameters<typeof createApiKey>[1]>) =>
    (await createApiKey(forTenant(service.operator(), tenant.tenantId), { name: 'test', ...options })).value

  it('decides as without Redis, cached or not', async () => {
    const withoutRedis = createUncachedKeyAdmission(service.services.database.pool, createMemoryRateLimiter())
    const expired = await createKey({ expiresAt: new Date(clock().getTime() + 1) })
    clock.advance(1)
    const keys = [
      tenant.apiKey,
      newKeyValue(),
      await createKey({ scopes: ['verifications:read'] }),
      expired,
      await createKey({ expiresAt: new Date(clock().getTime() + 1) }),
    ]
    for (const apiKey of keys) {
      for (const _ of ['not cached', 'cached']) {
        expect(await admit(apiKey)).to.deep.equal(await admit(apiKey, { admission: withoutRedis }))
      }
    }
  })

  it('counts admitted requests only', async () => {
    const now = clock()
    const expiresAt = new Date(now.getTime() + 10)
    const apiKey = await createKey({ expiresAt })
    expect(await admit(apiKey, { now })).to.have.nested.property('window.remaining', 5_999)
    for (let times = 0; times < 3; times++) {
      expect(await admit(apiKey, { now: expiresAt })).to.include({ admitted: false })
    }
    await service.operator().keyCache.invalidateTenant(tenant.tenantId, clock())
    expect(await admit(apiKey, { now })).to.have.nested.property('window.remaining', 5_998)
  })

  it('sends one command for a request with a cached key, and three more for another, and counts each', async () => {
    const { validate } = tenantClient(service, tenant)
    const count = (command: string, result: string) =>
      metricOf(service.services.registry, 'age_verification_redis_command_duration_seconds_count', {
        command,
        result,
      })
    const sent = () =>
      Promise.all(
        ['admit', 'lease_entry', 'store_entry', 'get', 'hit', 'del'].map(name => count(name, 'success')),
      )
    const [admitted = 0, leased = 0, stored = 0, ...others] = await sent()
    expect((await validate('x')).status).to.equal(200)
    expect(await sent()).to.deep.equal([admitted + 2, leased + 1, stored + 1, ...others])
    expect((await validate('x')).status).to.equal(200)
    expect(await sent()).to.deep.equal([admitted + 3, leased + 1, stored + 1, ...others])
    expect(await count('admit', 'error')).to.equal(0)
  })

  it('begins the keys of Redis with its prefix, and names no user in them', async () => {
    const { rateLimiter } = service.services
    await rateLimiter.hit('console:https://sign-in.example.com alice@example.com', 600, clock())
    await admit(tenant.apiKey)
    const names = (await sendToRedis(redis.url, ['KEYS', '*'])) as string[]
    expect(names.filter(name => !name.startsWith('age-verification:'))).to.deep.equal([])
    expect(names.join())
      .to.match(/:key:/)
      .and.to.match(/:window:/)
    expect(names.join()).not.to.match(/alice|sign-in/)
  })

  it('fails with the names of the keys of which another program has one', async () => {
    const entry = `age-verification:key:{${hashKeyValue(tenant.apiKey)}}`
    await sendToRedis(redis.url, ['LPUSH', entry, 'theirs'])
    const error = await admit(tenant.apiKey).catch((error: Error) => error)
    expect(error).to.include({ code: 'REDIS_ERROR' })
    expect((error as Error).cause)
      .to.match(/^one of the keys .* of Redis has not what the service stores there: delete it/)
      .and.to.include(` ${entry}, age-verification:window:{`)
      .and.not.to.include(tenant.apiKey)
    await sendToRedis(redis.url, ['DEL', entry])
    expect(await admit(tenant.apiKey)).to.include({ admitted: true })
  })

  it('admits a cached key without a query to PostgreSQL', async () => {
    await admit(tenant.apiKey)
    const { pool } = service.services.database
    const query = pool.query
    pool.query = () => Promise.reject(new Error('PostgreSQL was queried.'))
    try {
      for (let times = 0; times < 10; times++) {
        expect(await admit(tenant.apiKey)).to.include({ admitted: true })
      }
    } finally {
      pool.query = query
    }
  })
})
