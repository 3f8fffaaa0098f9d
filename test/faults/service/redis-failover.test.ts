import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { DomainError } from '#domain/errors.ts'
import { forTenant } from '#domain/scope.ts'
import type { KeyAdmission } from '#rest/ports.ts'
import { createRedisKeyAdmission } from '#server/admission/redis-key-admission.ts'
import { nameEntry } from '#server/redis/key-names.ts'
import { describeForEachServer } from '../../harness/engines/redis.ts'
import type { RedisServer } from '../../harness/engines/redis-servers.ts'
import { fieldOf, startTestSentinel } from '../../harness/engines/sentinel.ts'
import { eventually } from '../../harness/eventually.ts'
import type { TestService } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

/** REDIS_FAILOVERS=100 makes 1,000 revocations, in about five minutes. */
const failovers = Number(process.env.REDIS_FAILOVERS ?? 3)
const revocationsPerFailover = 10
const processes = 3

interface Key {
  id: string
  hash: string
}

type Outcome = 'admitted' | 'rejected' | 'unavailable'

describeForEachServer('A failover by Sentinel', function (program) {
  this.timeout(30_000 + failovers * 60_000)
  const cluster = useOpened(async () => {
    const started = await startTestSentinel(program)
    await started.untilReplicated()
    return started
  })
  const services: TestService[] = Array.from({ length: processes }, (_, index) =>
    useService(() => ({ env: cluster.env, ...(index > 0 && { databaseUrl: services[0]!.databaseUrl }) })),
  )
  const tenant = useTenant(services[0]!)
  let admissions: KeyAdmission[]
  before(() => {
    // Without the cache of unknown keys, which would hide that a key is admitted again.
    admissions = services.map(({ services: { redis, database } }) =>
      createRedisKeyAdmission(redis!, database.pool),
    )
  })

  async function outcomeOf(admission: KeyAdmission, { hash: keyHash }: Key): Promise<Outcome> {
    const request = {
      keyHash,
      scope: 'tokens:validate',
      rateClass: 'read',
      now: new Date(),
    } as const
    try {
      return (await admission.admit(request)).admitted ? 'admitted' : 'rejected'
    } catch (error) {
      if (error instanceof DomainError && error.code === 'REDIS_ERROR') return 'unavailable'
      throw error
    }
  }

  const outcomesOf = (key: Key) => Promise.all(admissions.map(admission => outcomeOf(admission, key)))

  /** Any revocation of the tenant removes the entries of all its keys. */
  const isCached = async (key: Key) => (await outcomesOf(key)).every(outcome => outcome === 'admitted')
  const untilCached = (key: Key) => eventually(() => isCached(key))

  /** Returns how many requests were admitted until all processes had rejected one. */
  async function untilRejected(key: Key): Promise<number> {
    let admitted = 0
    await eventually(async () => {
      const outcomes = await outcomesOf(key)
      admitted += outcomes.filter(outcome => outcome === 'admitted').length
      return outcomes.every(outcome => outcome === 'rejected')
    })
    return admitted
  }

  async function createKey(): Promise<Key> {
    const operator = forTenant(services[0]!.operator(), tenant.tenantId)
    const { key, value } = await createApiKey(operator, { name: 'test' })
    return { id: key.id, hash: hashKeyValue(value) }
  }

  /** Revokes by one of the processes, as often as it takes to succeed. */
  async function revoke({ id: apiKeyId }: Key, by: number): Promise<void> {
    const service = services[by % processes]!
    await eventually(async () => {
      await revokeApiKey(forTenant(service.operator(), tenant.tenantId), { apiKeyId })
    })
  }

  let isStopped = true
  afterEach(() => {
    isStopped = true
  })

  /** Sends requests with revoked keys to all processes until it's stopped. Returns how many were admitted. */
  function useRevoked(revoked: Set<Key>): { stop(): Promise<number> } {
    isStopped = false
    const loops = admissions.map(async admission => {
      let admitted = 0
      while (!isStopped) {
        for (const key of revoked) if ((await outcomeOf(admission, key)) === 'admitted') admitted++
        await wait(25)
      }
      return admitted
    })
    return {
      async stop() {
        isStopped = true
        return (await Promise.all(loops)).reduce((sum, admitted) => sum + admitted, 0)
      },
    }
  }

  /** The primary dies after a revocation that no replica has received. Returns whether both lack it. */
  async function killAfter(revokeKey: () => Promise<void>, key: Key): Promise<boolean> {
    const primary = await cluster.primary()
    const replicas = cluster.nodes.filter(node => node !== primary)
    const copies = () =>
      Promise.all(replicas.map(replica => replica.send<number>('HEXISTS', nameEntry(key.hash), 'tenantId')))
    await eventually(async () => (await copies()).every(copy => copy === 1))
    for (const replica of replicas) replica.process.kill('SIGSTOP')
    // Sentinel disconnects the clients of a server that it reconfigures.
    await eventually(() => primary.send('CONFIG', 'SET', 'min-replicas-to-write', '0'))
    await eventually(() => primary.send('CLIENT', 'KILL', 'TYPE', 'replica'))
    await revokeKey()
    await primary.kill()
    for (const replica of replicas) replica.process.kill('SIGCONT')
    for (const replica of replicas) {
      await eventually(async () => !(await follows(replica, primary)))
    }
    const isLost = (await eventually(copies)).every(copy => copy === 1)
    await cluster.failOver(primary)
    await cluster.untilPromoted(primary)
    return isLost
  }

  /** Whether it receives the primary's writes. The Sentinel may have another one follow a new primary already. */
  async function follows(replica: RedisServer, primary: RedisServer): Promise<boolean> {
    const isConnected = (await fieldOf(replica, 'master_link_status')) === 'up'
    return isConnected && (await fieldOf(replica, 'master_port')) === String(primary.port)
  }

  /** A replica is promoted while the primary runs on, and a key is revoked meanwhile. */
  async function switchDuring(revokeKey: () => Promise<void>): Promise<void> {
    const primary = await cluster.primary()
    await Promise.all([cluster.failOver(primary), revokeKey()])
    await cluster.untilPromoted(primary)
  }

  /** The primary hangs after a revocation, and runs on after another one has been promoted. */
  async function freezeAfter(revokeKey: () => Promise<void>): Promise<void> {
    const primary = await cluster.primary()
    await revokeKey()
    primary.process.kill('SIGSTOP')
    await cluster.untilPromoted(primary)
    primary.process.kill('SIGCONT')
  }

  const restartKilled = (node: RedisServer) =>
    node.process.signalCode === 'SIGKILL' ? node.restart() : undefined

  it('lets no process admit a revoked key, also where the revocation is lost', async () => {
    let admitted = 0
    let lost = 0
    let killed = 0
    let revocations = 0
    const recoveryMs: number[] = []
    for (let failover = 0; failover < failovers; failover++) {
      const keys: Key[] = []
      while (keys.length < revocationsPerFailover) keys.push(await createKey())
      const survivor = await createKey()
      const revoked = new Set<Key>()
      const use = useRevoked(revoked)
      for (const [index, key] of keys.slice(0, -1).entries()) {
        await untilCached(key)
        await revoke(key, index)
        revoked.add(key)
        admitted += await untilRejected(key)
      }
      const last = keys.at(-1)!
      await untilCached(last)
      const revokeLast = async () => {
        await revoke(last, failover)
        revoked.add(last)
      }
      if (failover % 3 === 0) {
        killed++
        if (await killAfter(revokeLast, last)) lost++
      } else if (failover % 3 === 1) await switchDuring(revokeLast)
      else await freezeAfter(revokeLast)
      const promotedAt = performance.now()
      await eventually(() => isCached(survivor), { timeoutMs: 60_000 })
      recoveryMs.push(Math.round(performance.now() - promotedAt))
      for (const key of keys) admitted += await untilRejected(key)
      for (const node of cluster.nodes) await restartKilled(node)
      await cluster.untilReplicated()
      await revoke(survivor, failover)
      admitted += await use.stop()
      revocations += keys.length + 1
      expect(admitted).to.equal(0)
      if (process.env.REDIS_FAILOVERS) console.log({ failover, revocations, killed, lost, admitted })
    }
    expect(lost).to.equal(killed)
    if (process.env.REDIS_FAILOVERS) console.log({ recoveryMs })
  })
})
