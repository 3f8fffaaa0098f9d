import type { StatementPool } from '#domain/database/statement.ts'
import type { KeyAdmission } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import { createMemoryKeyAdmission } from '../admission/memory-key-admission.ts'
import { createMemoryRateLimiter } from '../admission/memory-rate-limiter.ts'
import { openRedis, type Redis, withRedis } from '../admission/open-redis.ts'
import { createRedisKeyAdmission } from '../admission/redis-key-admission.ts'

export interface Announcer {
  keyAdmission: KeyAdmission
  close(): Promise<void>
}

/**
 * The keyAdmission that announces changes to running services. Redis is met only by the first announcement: reading
 * works without it. Without `REDIS_URL` services look each key up, and nothing has to be announced.
 */
export function createAnnouncer(
  redisUrl: string | undefined,
  pool: StatementPool,
  log: DomainLog,
): Announcer {
  if (!redisUrl) {
    return { keyAdmission: createMemoryKeyAdmission(pool, createMemoryRateLimiter()), close: async () => {} }
  }
  let opened: Redis | undefined
  const keyAdmission = async () => {
    opened ??= await withRedis(() => openRedis(redisUrl, log))
    return createRedisKeyAdmission(opened, pool)
  }
  return {
    keyAdmission: {
      admit: async request => (await keyAdmission()).admit(request),
      invalidateTenant: async tenantId => (await keyAdmission()).invalidateTenant(tenantId),
      invalidateAll: async () => (await keyAdmission()).invalidateAll(),
    },
    close: async () => opened?.destroy(),
  }
}
