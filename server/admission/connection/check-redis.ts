import { ErrorReply } from 'redis'
import type { DomainLog } from '#domain/scope.ts'
import { StartError } from '../../start-error.ts'
import { keyPrefix } from '../key-names.ts'
import type { Redis } from './keep-connected.ts'
import { connectTo, type RedisConnection } from './redis-connection.ts'
import { lacksReplicas, redisServerViolation } from './redis-server.policy.ts'
import type { RedisSettings } from './redis-settings.ts'

const probeKey = `${keyPrefix}start-check`
const probeMs = 1_000

/**
 * Throws a `StartError` if the settings say that the server is a cluster, and it isn't one: its client would only report
 * that no node can be used.
 */
export async function assertCluster(urls: readonly string[], log: DomainLog): Promise<void> {
  const node = await connectToAny(urls)
  try {
    const [client] = node.clients()
    assertUsable(await serverInfo(section => client!.info(section), log), 'cluster')
  } finally {
    node.destroy()
  }
}

/**
 * Checks the server once, after connecting. Throws a `StartError` if it is too old, in another mode than the settings
 * say, or rejects writes: a read-only replica, or a server without memory left. If the user's ACL lacks INFO, the
 * version is not checked. Returns whether scripts can read the server's replication id.
 */
export async function checkRedis(
  redis: Redis,
  { mode }: RedisSettings,
  log: DomainLog,
): Promise<{ hasReplicationId: boolean }> {
  if (mode !== 'cluster') assertUsable(await serverInfo(redis.info, log), 'standalone')
  const hasReplicationId = await probe(redis)
  if (!hasReplicationId) {
    log.warn(
      {},
      'Scripts cannot read INFO replication of Redis: API keys are read from PostgreSQL, not cached',
    )
  }
  if (mode === 'sentinel' && hasReplicationId && lacksReplicas(await redis.info('replication'))) {
    log.warn(
      {},
      'The primary has no min-replicas-to-write: after a network partition, it may accept revoked keys',
    )
  }
  return { hasReplicationId }
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

function assertUsable(info: string, mode: 'standalone' | 'cluster'): void {
  const violation = redisServerViolation(info, mode)
  if (violation) throw new StartError(violation)
}

/** Writes as a request does. */
async function probe({ commands }: Redis): Promise<boolean> {
  try {
    const { replicationId } = await commands.leaseEntry(probeKey, 'start-check', probeMs)
    return replicationId !== undefined
  } catch (error) {
    if (!(error instanceof ErrorReply)) throw error
    throw new StartError(`REDIS_URL: Redis rejects writes: ${error.message}`, { cause: error })
  }
}

async function serverInfo(info: (section: string) => Promise<string>, log: DomainLog): Promise<string> {
  try {
    return await info('server')
  } catch (error) {
    if (!isForbidden(error)) throw error
    log.warn({}, 'The user of REDIS_URL may not run INFO: the version of Redis is not checked')
    return ''
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('NOPERM')
}
