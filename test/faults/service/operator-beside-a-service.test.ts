import { expect } from 'chai'
import { describeWithRedis, startTestRedis, type TestRedis } from '../../harness/engines/redis.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService } from '../../harness/use-service.ts'
import { operatorOn } from '../../operator/operate.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'

function testImmediateEffect(redis?: TestRedis) {
  const service = useService(() => (redis ? { redisUrl: redis.url } : {}))
  const env = () => ({ DATABASE_URL: service.databaseUrl, ...(redis && { REDIS_URL: redis.url }) })
  const { json } = operatorOn(env)
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

  it('accepts a new key, and rejects it when it is revoked, from the next request on', async () => {
    const { apiKey, apiKeyId } = await createKey()
    await json('key', 'revoke', '--key', apiKeyId)
    expect(await requestWith(apiKey)).to.equal('401 UNAUTHENTICATED_TENANT')
  })

  it('rejects a tenant that is disabled, has no subscription or is deleted, from the next request on', async () => {
    const { tenantId, apiKey } = await createKey()
    for (const [verb, options, expected] of [
      ['disable', [], ['401 TENANT_INACTIVE']],
      ['enable', [], [admitted]],
      ['set-subscription', ['--state', 'inactive'], ['402 BILLING_INACTIVE']],
      ['set-subscription', ['--state', 'active'], [admitted]],
      ['delete', ['--confirm', 'Shop'], ['401 TENANT_INACTIVE', '401 UNAUTHENTICATED_TENANT']],
    ] as const) {
      await json('tenant', verb, '--tenant', tenantId, ...options)
      expect(await requestWith(apiKey), verb).to.be.oneOf([...expected])
    }
  })
}

describe('a running service, after an operator command,', () => {
  testImmediateEffect()
})

describeWithRedis('a running service with Redis, after an operator command,', () => {
  testImmediateEffect(useOpened(startTestRedis))
})
