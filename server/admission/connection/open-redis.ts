import { DomainError } from '#domain/errors.ts'
import type { DomainLog } from '#domain/scope.ts'
import { assertCluster, checkRedis } from './check-redis.ts'
import { connectToCluster } from './connect-to-cluster.ts'
import { connectToPrimary } from './connect-to-primary.ts'
import { keepConnected, type Redis, type RedisConnector } from './keep-connected.ts'
import { connectTo } from './redis-connection.ts'
import type { RedisSettings } from './redis-settings.ts'
import { createSentinels } from './sentinels.ts'

export interface OpenedRedis extends Redis {
  /** Whether scripts can read the server's replication id, without which nothing is cached (`scripts.ts`). */
  hasReplicationId: boolean
}

/**
 * Connects to Redis, and reconnects automatically. While Redis is unavailable, commands fail immediately; a server
 * that accepts connections but doesn't respond counts as unavailable after 2 s. Rejects when the first connection
 * fails, with a `StartError` if the server is too old, in another mode than the settings say, or rejects writes.
 */
export async function openRedis(settings: RedisSettings, log: DomainLog): Promise<OpenedRedis> {
  if (settings.mode === 'cluster') await assertCluster(settings.urls, log)
  const redis = await keepConnected(connectorFor(settings), log)
  try {
    return Object.assign(redis, await checkRedis(redis, settings, log))
  } catch (error) {
    redis.destroy()
    throw error
  }
}

function connectorFor(settings: RedisSettings): RedisConnector {
  switch (settings.mode) {
    case 'standalone':
      return { connect: () => connectTo(settings.url), close() {} }
    case 'cluster':
      return { connect: () => connectToCluster(settings.urls), close() {} }
    case 'sentinel': {
      const sentinels = createSentinels(settings)
      return { connect: () => connectToPrimary(settings, sentinels), close: sentinels.destroy }
    }
  }
}

/** Runs Redis commands. Throws `REDIS_ERROR` for any failure that isn't a `DomainError`. */
export async function withRedis<Reply>(command: () => Promise<Reply>): Promise<Reply> {
  try {
    return await command()
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('REDIS_ERROR', { cause: error })
  }
}
