import { ErrorReply } from 'redis'
import type { DomainLog } from '#domain/scope.ts'
import type { RedisSettings } from '../configuration/redis-settings.ts'
import { StartError } from '../configuration/start-error.ts'
import { connectTo, type RedisClient, type RedisCommands, type RedisConnection } from './connect.ts'
import { describeForeignKey, describeReply } from './describe-reply.ts'
import { idKey, keyPrefix, probeKey } from './key-names.ts'
import { parseInfo, redisServerViolation } from './server-info.policy.ts'

const entryKey = `${keyPrefix}start-check`
const textKey = `${keyPrefix}start-check-text`
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
 * say, lacks a command, has something else at one of the service's keys, or rejects writes: a read-only replica, or a server
 * without memory left. Where INFO is not allowed, the version is not checked. Returns whether scripts can read the server's replication id.
 */
export async function checkServer(
  { commands, clients }: RedisConnection,
  { mode }: RedisSettings,
  log: DomainLog,
): Promise<boolean> {
  const [client] = clients()
  if (mode !== 'cluster') await assertUsable(client!, 'standalone', log)
  const hasReplicationId = await probe(commands, clients())
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
    if (!(error instanceof ErrorReply && /^(NOPERM|ERR unknown command)/.test(error.message))) throw error
    log.warn({}, 'Redis does not let the user of REDIS_URL run INFO: its version is not checked')
  }
}

/** Sends what requests, the services' id and the watch of the connection need. */
async function probe(commands: RedisCommands, clients: RedisClient[]): Promise<boolean> {
  await accepted(idKey, commands.get(idKey))
  await accepted(probeKey, commands.hit(probeKey, probeMs))
  await accepted(textKey, commands.set(textKey, 'start-check', { condition: 'NX', GET: true }))
  await accepted(textKey, commands.del(textKey))
  const lease = await accepted(entryKey, commands.leaseEntry(entryKey, 'start-check', probeMs))
  await accepted(entryKey, commands.storeEntry(entryKey, lease, { fields: {}, ttlMs: probeMs }))
  for (const client of clients) await accepted('', client.ping())
  return lease.replicationId !== undefined
}

/** Throws a `StartError` for a command about this key that Redis rejects. */
async function accepted<Reply>(key: string, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply
  } catch (error) {
    if (!(error instanceof ErrorReply)) throw error
    const reason = describeForeignKey(error, [key]) ?? `Redis rejects writes: ${describeReply(error)}`
    throw new StartError(`REDIS_URL: ${reason}`, { cause: error })
  }
}
