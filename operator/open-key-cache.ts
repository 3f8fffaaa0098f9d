import type { StatementPool } from '#domain/database/statement.ts'
import { DomainError } from '#domain/errors.ts'
import type { KeyCache } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import { recordedKeyCache, recordedRedis } from '#domain/service-setting/key-cache-setting.ts'
import type { RedisSettings } from '#server/configuration/redis-settings.ts'
import { StartError } from '#server/configuration/start-error.ts'
import type { Redis } from '#server/redis/open-redis.ts'

interface OpenedKeyCache {
  keyCache: KeyCache
  close(): Promise<void>
}

/**
 * The key cache of running services, so that changes invalidate it. It connects to Redis before the first change, so
 * reading commands work without Redis. It throws a `StartError` if the services cache keys in another Redis, or in one and
 * there are no settings of Redis.
 */
export function openKeyCache(
  settings: RedisSettings | undefined,
  pool: StatementPool,
  log: DomainLog,
): OpenedKeyCache {
  if (!settings) return { keyCache: withoutRedis(pool), close: async () => {} }
  let opened: Redis | undefined
  // Not loaded by commands that change nothing: the client takes longer to load than most commands to run.
  const open = async () => {
    const { openRedis, withRedis } = await import('#server/redis/open-redis.ts')
    opened ??= await withRedis(() => openRedis(settings, log))
    return opened
  }
  const keyCache = async () => {
    const { createRedisKeyCache } = await import('#server/admission/redis-key-cache.ts')
    return createRedisKeyCache(await open(), pool)
  }
  return {
    keyCache: {
      async assertReachable() {
        const services = await recordedRedis(pool)
        if (!services) return
        const { assertSameRedis } = await import('#server/redis/redis-id.ts')
        try {
          await assertSameRedis(services, await open(), settings)
        } catch (error) {
          // While Redis is unavailable, a key can be revoked nevertheless. That it isn't announced is reported afterwards.
          if (!(error instanceof DomainError && error.code === 'REDIS_ERROR')) throw error
        }
      },
      invalidateTenant: async (...change) => (await keyCache()).invalidateTenant(...change),
      invalidatePlan: async (...change) => (await keyCache()).invalidatePlan(...change),
    },
    close: async () => opened?.destroy(),
  }
}

function withoutRedis(pool: StatementPool): KeyCache {
  async function assertReachable(): Promise<void> {
    if ((await recordedKeyCache(pool)) !== 'redis') return
    throw new StartError(
      'REDIS_URL is required for this command: the services on this database cache API keys in Redis',
    )
  }
  // Asserted again after a change: a service may have started with Redis meanwhile.
  return { assertReachable, invalidateTenant: assertReachable, invalidatePlan: assertReachable }
}
