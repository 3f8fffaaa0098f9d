import type { KeyCache } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import { emptyKeyCache } from '../admission/memory-key-admission.ts'
import { openRedis, type Redis, withRedis } from '../admission/open-redis.ts'
import { createRedisKeyCache } from '../admission/redis-key-cache.ts'

export interface OpenedKeyCache {
  keyCache: KeyCache
  close(): Promise<void>
}

/**
 * The key cache of running services, so that changes invalidate it. It connects to Redis at the first invalidation, so
 * reading commands work without Redis. Without `REDIS_URL` services cache no keys, and there is nothing to invalidate.
 */
export function openKeyCache(redisUrl: string | undefined, log: DomainLog): OpenedKeyCache {
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
