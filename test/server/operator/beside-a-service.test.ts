import { expect } from 'chai'
import { describeWithRedis, startTestRedis, type TestRedis } from '#test/support/redis.ts'
import { tenantClient } from '#test/support/tenant-client.ts'
import { startTestService, type TestService } from '#test/support/test-service.ts'
import { operate } from './operate.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'

function testImmediateEffect(redis: () => TestRedis | undefined) {
  let service: TestService
  before(async () => {
    const server = redis()
    service = await startTestService(server ? { redisUrl: server.url } : {})
  })
  after(() => service.close())

  const json = async (...args: string[]) => {
    const server = redis()
    const env = { DATABASE_URL: service.databaseUrl, ...(server && { REDIS_URL: server.url }) }
    const { code, out, err } = await operate(env, ...args, '--json')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    return JSON.parse(out)
  }
  const requestWith = async (apiKey: string) => {
    const { status, body } = await tenantClient(service, { apiKey }).status(unknownId)
    return `${status} ${body.error}`
  }
  const admitted = '404 VERIFICATION_NOT_FOUND'

  async function createKey() {
    const { tenantId } = await json('tenant', 'create', '--name', 'Shop')
    const { apiKey, apiKeyId } = await json('key', 'create', '--tenant', tenantId)
    expect(await requestWith(apiKey)).to.equal(admitted)
    return { tenantId, apiKey, apiKeyId }
  }

  it('accepts a new key and rejects a revoked one from the next request on', async () => {
    const { apiKey, apiKeyId } = await createKey()
    await json('key', 'revoke', '--key', apiKeyId)
    expect(await requestWith(apiKey)).to.equal('401 UNAUTHENTICATED_TENANT')
  })

  it('rejects a disabled tenant and accepts it again from the next request on', async () => {
    const { tenantId, apiKey } = await createKey()
    await json('tenant', 'disable', '--tenant', tenantId)
    expect(await requestWith(apiKey)).to.equal('401 TENANT_INACTIVE')
    await json('tenant', 'enable', '--tenant', tenantId)
    expect(await requestWith(apiKey)).to.equal(admitted)
  })

  it('rejects a tenant with an inactive subscription from the next request on', async () => {
    const { tenantId, apiKey } = await createKey()
    await json('tenant', 'set-subscription', '--tenant', tenantId, '--state', 'inactive')
    expect(await requestWith(apiKey)).to.equal('402 BILLING_INACTIVE')
  })

  it('applies new rate limits of a plan from the next request on', async () => {
    const { tenantId, apiKey } = await createKey()
    await json('plan', 'set', '--name', 'narrow', '--read-rate-limit', '500')
    await json('tenant', 'set-plan', '--tenant', tenantId, '--plan', 'narrow')
    const limit = async () => {
      const { headers } = await tenantClient(service, { apiKey }).status(unknownId)
      return headers.get('x-ratelimit-limit')
    }
    expect(await limit()).to.equal('500')
    await json('plan', 'set', '--name', 'narrow', '--read-rate-limit', '400')
    expect(await limit()).to.equal('400')
  })
}

describe('a running service, after an operator command,', () => {
  testImmediateEffect(() => undefined)
})

describeWithRedis('a running service with Redis, after an operator command,', () => {
  let redis: TestRedis
  before(async () => {
    redis = await startTestRedis()
  })
  after(() => redis.close())

  testImmediateEffect(() => redis)
})

describeWithRedis('the operator, while Redis is unavailable,', () => {
  it('can read, reports a failed cache invalidation, and repairs it when the revocation is repeated', async () => {
    const service = await startTestService()
    const redis = await startTestRedis()
    try {
      const offline = { DATABASE_URL: service.databaseUrl, REDIS_URL: 'redis://127.0.0.1:1' }
      const online = { ...offline, REDIS_URL: redis.url }
      const created = await operate(online, 'tenant', 'create', '--name', 'Shop', '--json')
      const { tenantId } = JSON.parse(created.out)
      const key = JSON.parse((await operate(online, 'key', 'create', '--tenant', tenantId, '--json')).out)
      expect((await operate(offline, 'key', 'list', '--tenant', tenantId)).code).to.equal(0)
      const revoke = ['key', 'revoke', '--key', key.apiKeyId, '--json']
      const failed = await operate(offline, ...revoke)
      expect(failed.code).to.equal(1)
      expect(JSON.parse(failed.err).error).to.equal('REDIS_ERROR')
      expect((await operate(online, ...revoke)).code).to.equal(0)
    } finally {
      await redis.close()
      await service.close()
    }
  })
})
