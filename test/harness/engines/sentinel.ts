import type { RedisSettings } from '#server/configuration/redis-settings.ts'
import { eventually } from '../eventually.ts'
import { createRedisServers, type RedisServer } from './redis-servers.ts'

const primaryName = 'verification'
const patiently = { timeoutMs: 60_000 }

export type TestSentinel = Awaited<ReturnType<typeof startTestSentinel>>

/** Starts a primary with two replicas, and a Sentinel that notices failures within half a second. */
export async function startTestSentinel(program: string) {
  const servers = await createRedisServers(program)
  try {
    const options = ['--repl-diskless-sync-delay', '0', '--min-replicas-to-write', '1']
    const first = await servers.start(options)
    const replicaOf = ['--replicaof', `127.0.0.1 ${first.port}`]
    const replicas = await Promise.all([1, 2].map(() => servers.start([...options, ...replicaOf])))
    const nodes = [first, ...replicas]
    const sentinel = await servers.startSentinel(() =>
      [
        `sentinel monitor ${primaryName} 127.0.0.1 ${first.port} 1`,
        `sentinel down-after-milliseconds ${primaryName} 500`,
        `sentinel failover-timeout ${primaryName} 5000`,
        `sentinel parallel-syncs ${primaryName} 2`,
        '',
      ].join('\n'),
    )
    // Otherwise it looks at the servers once in one to ten seconds.
    const periods = ['INFO-PERIOD', 'PING-PERIOD', 'PUBLISH-PERIOD'].flatMap(name => [name, '100'])
    await sentinel.send('SENTINEL', 'DEBUG', ...periods)
    return describeSentinel(sentinel, nodes, servers.close)
  } catch (error) {
    await servers.close()
    throw error
  }
}

function describeSentinel(sentinel: RedisServer, nodes: RedisServer[], close: () => Promise<void>) {
  const address = `127.0.0.1:${sentinel.port}`
  /** The node that the Sentinel names. */
  async function primary(): Promise<RedisServer> {
    const [, port] = await sentinel.send<string[]>('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName)
    return nodes.find(node => node.port === Number(port))!
  }
  const sentinels = [`redis://${address}`]
  const settings: RedisSettings = { mode: 'sentinel', sentinels, primaryName, url: 'redis://primary' }
  return {
    settings,
    /** The variables of the same settings. */
    env: { REDIS_SENTINELS: address, REDIS_SENTINEL_MASTER: primaryName },
    sentinel,
    nodes,
    primary,
    /** Waits until the primary has both replicas, and the Sentinel knows them. */
    async untilReplicated() {
      const hasBoth = async () => (await fieldOf(await primary(), 'min_slaves_good_slaves')) === '2'
      await eventually(hasBoth, patiently)
      await eventually(async () => {
        const replicas = await sentinel.send<string[][]>('SENTINEL', 'REPLICAS', primaryName)
        return replicas.filter(isHealthy).length === 2
      }, patiently)
    },
    /** Has the Sentinel replace the primary, whether or not that runs. */
    async failOver(previous: RedisServer) {
      await eventually(async () => {
        if ((await primary()) !== previous) return true
        // Refused while one is in progress, and repeated because the Sentinel may give up on one.
        await sentinel.send('SENTINEL', 'FAILOVER', primaryName).catch(() => undefined)
        return false
      }, patiently)
    },
    /** Waits until the Sentinel names another primary than `previous`, which accepts writes. */
    async untilPromoted(previous: RedisServer) {
      await eventually(async () => {
        const promoted = await primary()
        return promoted !== previous && (await fieldOf(promoted, 'min_slaves_good_slaves')) !== '0'
      }, patiently)
    },
    close,
  }
}

function isHealthy(replica: string[]): boolean {
  const value = (name: string) => replica[replica.indexOf(name) + 1]
  return value('flags') === 'slave' && value('master-link-status') === 'ok'
}

/** A field of a server's `INFO replication`. */
export async function fieldOf(server: RedisServer, name: string): Promise<string | undefined> {
  const info = await server.send('INFO', 'replication')
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}
