import type { KeyCache } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import { emptyKeyCache } from '../admission/memory-key-admission.ts'
import { openRedis, type Redis, withRedis } from '../admission/open-redis.ts'
import { createRedisKeyCache } from '../admission/redis-key-cache.ts'

export interface Announcer {
  keyCache: KeyCache
  close(): Promise<void>
}

/**
 * The cache of running services, so that changes invalidate it. It connects to Redis at the first invalidation, so
 * reading works without Redis. Without `REDIS_URL` services cache no keys, and there is nothing to invalidate.
 */
export function createAnnouncer(redisUrl: string | undefined, log: DomainLog): Announcer {
  if (!redisUrl) return { keyCache: emptyKeyCache, close: async () => {} }
  let opened: Redis | undefined
  const keyCache = async () => {
    opened ??= await withRedis(() => openRedis(redisUrl, log))
    return createRedisKeyCache(opened)
  }
  return {
    keyCache: {
      invalidateTenant: async tenantId => (await keyCache()).invalidateTenant(tenantId),
      invalidateAll: async () => (await keyCache()).invalidateAll(),
    },
    close: async () => opened?.destroy(),
  }
}
