import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { setTenantEnabled } from '#domain/tenant/change-tenant-access.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { nameEntry } from '#server/redis/key-names.ts'
import { describeForEachServer } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { type ApiResponse, call, tenantClient } from '../../harness/tenant-client.ts'
import { createTestClock } from '../../harness/test-clock.ts'
import type { TestService } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService } from '../../harness/use-service.ts'
import { operate } from '../../operator/operate.ts'
import { startTestCluster } from './redis-cluster.ts'

interface Key {
  id: string
  value: string
  slot: number
}

describeForEachServer('A service on a cluster', function (program) {
  this.timeout(60_000)
  // Rate limits have windows of a minute, of which none ends during a test.
  const clock = createTestClock()
  const cluster = useOpened(() => startTestCluster(program))
  const one = useService(() => ({ clock, env: cluster.env }))
  const two = useService(() => ({ clock, env: cluster.env, databaseUrl: one.databaseUrl }))
  let tenantId: string
  beforeEach(async () => {
    clock.advance(60_000)
    tenantId = (await createTenant(one.operator(), { name: 'Test tenant' })).id
  })

  const operator = () => forTenant(one.operator(), tenantId)
  const validate = (service: TestService, apiKey: string): Promise<ApiResponse> =>
    tenantClient(service, { apiKey }).validate('x')
  const statusesOf = async ({ value }: Key) =>
    (await Promise.all([validate(one, value), validate(two, value)])).map(({ status }) => status)

  /** A key in a slot of the primary, or of any. */
  async function createKey(primary?: number): Promise<Key> {
    for (;;) {
      const { key, value } = await createApiKey(operator(), { name: 'test' })
      const entry = nameEntry(hashKeyValue(value))
      const slot = await cluster.primaries[0]!.send<number>('CLUSTER', 'KEYSLOT', entry)
      if (primary === undefined || Math.floor((slot * 3) / 16_384) === primary)
        return { id: key.id, value, slot }
    }
  }

  it('has keys on every node, limits their requests, and applies changes in all processes', async () => {
    const keys = await Promise.all([createKey(0), createKey(1), createKey(2)])
    for (const key of keys) {
      expect(await statusesOf(key)).to.deep.equal([200, 200])
      const { headers } = await validate(one, key.value)
      expect(headers.get('x-ratelimit-remaining')).to.equal('5997')
    }
    await setTenantEnabled(operator(), { enabled: false })
    for (const key of keys) expect(await statusesOf(key)).to.deep.equal([401, 401])
    await setTenantEnabled(operator(), { enabled: true })
    for (const key of keys) expect(await statusesOf(key)).to.deep.equal([200, 200])
    await revokeApiKey(operator(), { apiKeyId: keys[0]!.id })
    expect(await statusesOf(keys[0]!)).to.deep.equal([401, 401])
    expect((await call(`${one.baseUrl}/health/ready`)).body.dependencies.redis).to.equal('up')
  })

  it('applies changes by the command line with the same variables', async () => {
    const key = await createKey()
    expect(await statusesOf(key)).to.deep.equal([200, 200])
    const env = { DATABASE_URL: one.databaseUrl, ...cluster.env }
    const { code, err } = await operate(env, 'tenant', 'disable', '--tenant', tenantId)
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    expect(await statusesOf(key)).to.deep.equal([401, 401])
  })

  it('serves requests while a slot moves to another node, and applies changes after it', async () => {
    const key = await createKey(1)
    expect(await statusesOf(key)).to.deep.equal([200, 200])
    let isMoved = false
    const responses: number[] = []
    const requests = (async () => {
      while (!isMoved) {
        responses.push(...(await statusesOf(key)))
        await wait(2)
      }
    })()
    await cluster.moveSlot(key.slot, cluster.primaries[1]!, cluster.primaries[2]!)
    isMoved = true
    await requests
    // TRYAGAIN, while one of a script's two keys has moved, is REDIS_ERROR.
    expect(responses.filter(status => status !== 200 && status !== 503)).to.deep.equal([])
    expect(await statusesOf(key)).to.deep.equal([200, 200])
    await revokeApiKey(operator(), { apiKeyId: key.id })
    expect(await statusesOf(key)).to.deep.equal([401, 401])
  })

  it('rejects a revoked key after a node has failed without its replica having received the revocation', async () => {
    const [primary] = cluster.primaries as [(typeof cluster.primaries)[number]]
    const key = await createKey(0)
    const survivor = await createKey(0)
    const other = await createKey(2)
    for (const each of [key, survivor, other]) expect(await statusesOf(each)).to.deep.equal([200, 200])
    const copies = () => cluster.replica.send<string[]>('CLUSTER', 'GETKEYSINSLOT', `${key.slot}`, '10')
    await eventually(copies, { until: names => names.includes(nameEntry(hashKeyValue(key.value))) })
    cluster.replica.process.kill('SIGSTOP')
    // More than the connection's buffers hold, so that the replica doesn't get what follows.
    await primary.send('SET', 'age-verification:{3}', 'x'.repeat(48 * 1024 * 1024))
    await revokeApiKey(operator(), { apiKeyId: key.id })
    await primary.kill()
    cluster.replica.process.kill('SIGCONT')
    expect(await copies()).to.include(nameEntry(hashKeyValue(key.value)))
    await validate(one, survivor.value)
    // `other` is cached again where it was: its node isn't affected.
    expect(await statusesOf(other)).to.deep.equal([200, 200])
    await eventually(async () => (await statusesOf(survivor)).every(status => status === 200))
    const responses: number[] = []
    await eventually(async () => {
      const statuses = await statusesOf(key)
      responses.push(...statuses)
      return statuses.every(status => status === 401)
    })
    // A process that looks for the new node again responds 503 meanwhile.
    expect(responses.filter(status => status !== 401 && status !== 503)).to.deep.equal([])
    await eventually(async () => (await call(`${one.baseUrl}/health/ready`)).status === 200)
  })
})
