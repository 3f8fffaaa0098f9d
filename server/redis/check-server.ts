import { ErrorReply } from 'redis'
import type { DomainLog } from '#domain/scope.ts'
import type { RedisSettings } from '../configuration/redis-settings.ts'
import { StartError } from '../configuration/start-error.ts'
import { connectTo, type RedisClient, type RedisCommands, type RedisConnection } from './connect.ts'
import { keyPrefix } from './key-names.ts'
import { parseInfo, redisServerViolation } from './server-info.policy.ts'

const probeKey = `${keyPrefix}start-check`
const probeMs = 1_000

/**
 * Throws a `StartError` if the settings say that the server is a cluster, and it isn't one: its client would only report
 * that no node can be used.
 */
export async function assertCluster(urls: readonly string[], log: DomainLog): Promise<void> {
  const node = await connectToAny(urls)
  try {
    await assertUsable(node.clients()[0]!, 'cluster', log)
  } finally {
    node.destroy()
  }
}

/**
 * Checks the server once, after connecting. Throws a `StartError` if it is too old, in another mode than the settings
 * say, or rejects writes: a read-only replica, or a server without memory left. If the user's ACL lacks INFO, the
 * version is not checked. Returns whether scripts can read the server's replication id.
 */
export async function checkServer(
  { commands, clients }: RedisConnection,
  { mode }: RedisSettings,
  log: DomainLog,
): Promise<boolean> {
  const [client] = clients()
  if (mode !== 'cluster') await assertUsable(client!, 'standalone', log)
  const hasReplicationId = await probe(commands)
  if (!hasReplicationId) {
    log.warn(
      {},
      'Scripts cannot read INFO replication of Redis: API keys are read from PostgreSQL, not cached',
    )
  } else if (
    mode === 'sentinel' &&
    parseInfo(await client!.info('replication')).min_slaves_good_slaves === undefined
  ) {
    log.warn(
      {},
      'The primary has no min-replicas-to-write: after a network partition, it may accept revoked keys',
    )
  }
  return hasReplicationId
}

async function connectToAny(urls: readonly string[]): Promise<RedisConnection> {
  const failures: unknown[] = []
  for (const url of urls) {
    try {
      return await connectTo(url)
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

async function assertUsable(
  client: RedisClient,
  mode: 'standalone' | 'cluster',
  log: DomainLog,
): Promise<void> {
  try {
    const violation = redisServerViolation(await client.info('server'), mode)
    if (violation) throw new StartError(violation)
  } catch (error) {
    if (!(error instanceof ErrorReply && error.message.startsWith('NOPERM'))) throw error
    log.warn({}, 'The user of REDIS_URL may not run INFO: the version of Redis is not checked')
  }
}

/** Writes as a request does. */
async function probe(commands: RedisCommands): Promise<boolean> {
  try {
    const { replicationId } = await commands.leaseEntry(probeKey, 'start-check', probeMs)
    return replicationId !== undefined
  } catch (error) {
    if (!(error instanceof ErrorReply)) throw error
    throw new StartError(`REDIS_URL: Redis rejects writes: ${error.message}`, { cause: error })
  }
}
