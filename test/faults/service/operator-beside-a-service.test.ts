import { expect } from 'chai'
import {
  describeWithOwnRedis,
  describeWithRedis,
  startTestRedis,
  type TestRedis,
} from '../../harness/engines/redis.ts'
import { sendToRedis } from '../../harness/engines/redis-servers.ts'
import { eventually } from '../../harness/eventually.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { startTestService, type TestTenant } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { type Operator, operatorOn } from '../../operator/operate.ts'

/** Of what changes keys that services cache. */
const changesOf = ({ tenantId, apiKeyId }: TestTenant) => [
  ['key', 'revoke', '--key', apiKeyId],
  ['tenant', 'disable', '--tenant', tenantId],
  ['tenant', 'enable', '--tenant', tenantId],
  ['tenant', 'delete', '--tenant', tenantId, '--confirm', 'Test tenant'],
  ['tenant', 'set-subscription', '--tenant', tenantId, '--state', 'inactive'],
  ['tenant', 'set-plan', '--tenant', tenantId, '--plan', 'default'],
  ['plan', 'set', '--name', 'default', '--read-rate-limit', '1'],
]

/** What is stored of what the changes would change. */
async function storedBy({ json }: Operator, tenantId: string) {
  const [key] = await json('key', 'list', '--tenant', tenantId)
  return [key.revokedAt, await json('tenant', 'list'), await json('plan', 'list')]
}

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

describeWithRedis('the operator without REDIS_URL, on the database of services with Redis,', () => {
  const redis = useOpened(startTestRedis)
  const service = useService(() => ({ redisUrl: redis.url }))
  const tenant = useTenant(service)
  const operator = operatorOn(() => ({ DATABASE_URL: service.databaseUrl }))
  const run = operator.text

  it('changes nothing that the services cache, and names the variable', async () => {
    const status = async () => (await tenantClient(service, tenant).status(unknownId)).status
    expect(await status()).to.equal(404)
    const before = await storedBy(operator, tenant.tenantId)
    for (const args of changesOf(tenant)) {
      const message =
        'REDIS_URL is required for this command: the services on this database cache API keys in Redis'
      expect(await run(...args)).to.deep.equal({ code: 1, out: '', err: `${message}\n` })
    }
    expect(await storedBy(operator, tenant.tenantId)).to.deep.equal(before)
    expect(await status()).to.equal(404)
  })

  it('reads, and changes what is not cached', async () => {
    expect((await run('tenant', 'show', '--tenant', tenant.tenantId)).code).to.equal(0)
    expect((await run('key', 'create', '--tenant', tenant.tenantId)).code).to.equal(0)
    expect((await run('signing-key', 'rotate')).code).to.equal(0)
  })

  it('changes everything again after a service has started without Redis, except for a worker', async () => {
    const disable = ['tenant', 'disable', '--tenant', tenant.tenantId]
    const { databaseUrl } = service
    await (await startTestService({ databaseUrl, env: { ROLE: 'worker' } })).close()
    expect((await run(...disable)).code).to.equal(1)
    await (await startTestService({ databaseUrl })).close()
    expect((await run(...disable)).code).to.equal(0)
    await (await startTestService({ databaseUrl, redisUrl: redis.url })).close()
    expect((await run(...disable)).code).to.equal(1)
  })
})

describeWithOwnRedis('the operator with another Redis than that of the services', () => {
  const redis = useOpened(startTestRedis)
  const service = useService(() => ({ redisUrl: redis.url }))
  const tenant = useTenant(service)
  const using = (url: string) => operatorOn(() => ({ DATABASE_URL: service.databaseUrl, REDIS_URL: url }))
  const run = (url: string, ...args: string[]) => using(url).text(...args)
  const id = 'age-verification:id'
  const addressOf = (url: string) => url.replace('redis://', '')

  const stored = () => storedBy(using(redis.url), tenant.tenantId)

  it('changes nothing that the services cache, and names both', async () => {
    const status = async () => (await tenantClient(service, tenant).status(unknownId)).status
    expect(await status()).to.equal(404)
    const before = await stored()
    const other = `${redis.url}/1`
    const own = `REDIS_URL is ${addressOf(other)}`
    const messages = {
      missing:
        `${own}, without the id that the services on this database write into their Redis (${addressOf(redis.url)}): ` +
        'set theirs or, if it was emptied, repeat this 5 seconds later with a service running. Nothing was changed',
      different:
        `${own}, but the services on this database use another Redis (${addressOf(redis.url)}): set theirs. ` +
        'Nothing was changed',
    }
    for (const args of changesOf(tenant)) {
      expect(await run(other, ...args)).to.deep.equal({ code: 1, out: '', err: `${messages.missing}\n` })
    }
    for (const message of [messages.missing, messages.different]) {
      const error = await using(other).error('key', 'revoke', '--key', tenant.apiKeyId)
      expect(error).to.deep.equal({ error: 'START_ERROR', message })
      const { checks } = JSON.parse((await run(other, 'doctor', '--json')).out)
      const { ok, message: found } = checks.find(({ name }: { name: string }) => name === 'redis')
      expect([ok, found]).to.deep.equal([false, message])
      await sendToRedis(other, ['SET', id, 'of another deployment'])
    }
    expect(await stored()).to.deep.equal(before)
    expect(await status()).to.equal(404)
    expect((await run(other, 'key', 'create', '--tenant', tenant.tenantId)).code).to.equal(0)
  })

  it('changes everything again once a service has moved there', async () => {
    const other = `${redis.url}/2`
    const { databaseUrl } = service
    const enable = ['tenant', 'enable', '--tenant', tenant.tenantId]
    expect((await run(other, ...enable)).code).to.equal(1)
    await (await startTestService({ databaseUrl, redisUrl: other })).close()
    expect((await run(other, ...enable)).code).to.equal(0)
    expect((await run(redis.url, ...enable)).code).to.equal(1)
    await (await startTestService({ databaseUrl, redisUrl: redis.url })).close()
    expect((await run(redis.url, ...enable)).code).to.equal(0)
  })

  it('is not mistaken for it after Redis was emptied, as the services write its id again', async () => {
    const before = await sendToRedis(redis.url, ['GET', id])
    await sendToRedis(redis.url, ['DEL', id])
    await eventually(async () => (await sendToRedis(redis.url, ['GET', id])) !== null)
    expect(await sendToRedis(redis.url, ['GET', id])).to.equal(before)
    expect((await run(redis.url, 'key', 'revoke', '--key', tenant.apiKeyId)).code).to.equal(0)
  })
})

describeWithRedis('the operator, while Redis is unavailable,', () => {
  const redis = useOpened(startTestRedis)
  const service = useService(() => ({ redisUrl: redis.url }))
  const tenant = useTenant(service)
  const online = operatorOn(() => ({ DATABASE_URL: service.databaseUrl, REDIS_URL: redis.url }))
  const offline = operatorOn(() => ({
    DATABASE_URL: service.databaseUrl,
    REDIS_URL: 'redis://127.0.0.1:1',
  }))

  it('can read', async () => {
    expect(await offline.json('key', 'list', '--tenant', tenant.tenantId)).to.have.length(1)
  })

  it('says what it has changed and that the services could not be informed, which a repetition repairs', async () => {
    const { tenantId, apiKeyId } = tenant
    for (const [done, command] of [
      ['The key is revoked', `key revoke --key ${apiKeyId}`],
      ['The tenant is disabled', `tenant disable --tenant ${tenantId}`],
      ['The subscription is inactive', `tenant set-subscription --tenant ${tenantId} --state inactive`],
      ['The plan of the tenant is set', `tenant set-plan --tenant ${tenantId} --plan default`],
      ['The plan is set', 'plan set --name default --read-rate-limit 7'],
    ] as const) {
      const { error, message } = await offline.error(...command.split(' '))
      expect(error).to.equal('REDIS_ERROR')
      expect(message).to.equal(
        `${done}, but the services could not be informed: they may accept keys as before for up to 60 seconds. ` +
          'Repeat this to inform them. (connect ECONNREFUSED 127.0.0.1:1)',
      )
    }
    const [key] = await online.json('key', 'list', '--tenant', tenantId)
    expect(key.revokedAt).to.be.a('string')
    const changed = { enabled: false, subscription: 'inactive' }
    expect(await online.json('tenant', 'show', '--tenant', tenantId)).to.include(changed)
    expect((await online.text('key', 'revoke', '--key', apiKeyId)).code).to.equal(0)
  })
})
