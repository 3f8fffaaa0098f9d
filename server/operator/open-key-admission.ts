import type { StatementPool } from '#domain/database/statement.ts'
import type { KeyAdmission } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import { createMemoryKeyAdmission } from '../admission/memory-key-admission.ts'
import { createMemoryRateLimiter } from '../admission/memory-rate-limiter.ts'
import { openRedis, type Redis, withRedis } from '../admission/open-redis.ts'
import { createRedisKeyAdmission } from '../admission/redis-key-admission.ts'

export interface OpenedKeyAdmission {
  keyAdmission: KeyAdmission
  close(): Promise<void>
}

/**
 * The key admission that invalidates the caches of running services. It connects to Redis on first use, so reading
 * commands work without Redis. Without `REDIS_URL` services look up each key, and there is nothing to invalidate.
 */
export function openKeyAdmission(
  redisUrl: string | undefined,
  pool: StatementPool,
  log: DomainLog,
): OpenedKeyAdmission {
  if (!redisUrl) {
    return { keyAdmission: createMemoryKeyAdmission(pool, createMemoryRateLimiter()), close: async () => {} }
  }
  let opened: Redis | undefined
  const connected = async () => {
    opened ??= await withRedis(() => openRedis(redisUrl, log))
    return createRedisKeyAdmission(opened, pool)
  }
  return {
    keyAdmission: {
      admit: async request => (await connected()).admit(request),
      invalidateTenant: async tenantId => (await connected()).invalidateTenant(tenantId),
      invalidateAll: async () => (await connected()).invalidateAll(),
    },
    close: async () => opened?.destroy(),
  }
}
