import type { StatementPool } from '#domain/database/statement.ts'
import type { Gatekeeper } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import { createMemoryGatekeeper } from '../memory/memory-gatekeeper.ts'
import { createMemoryRateLimiter } from '../memory/memory-rate-limiter.ts'
import { openRedis, type Redis, withRedis } from '../redis/open-redis.ts'
import { createRedisGatekeeper } from '../redis/redis-gatekeeper.ts'

export interface Announcer {
  gatekeeper: Gatekeeper
  close(): Promise<void>
}

/**
 * The gatekeeper that announces changes to running services. Redis is met only by the first announcement: reading
 * works without it. Without `REDIS_URL` services look each key up, and nothing has to be announced.
 */
export function createAnnouncer(
  redisUrl: string | undefined,
  pool: StatementPool,
  log: DomainLog,
): Announcer {
  if (!redisUrl) {
    return { gatekeeper: createMemoryGatekeeper(pool, createMemoryRateLimiter()), close: async () => {} }
  }
  let opened: Redis | undefined
  const gatekeeper = async () => {
    opened ??= await withRedis(() => openRedis(redisUrl, log))
    return createRedisGatekeeper(opened, pool)
  }
  return {
    gatekeeper: {
      admit: async request => (await gatekeeper()).admit(request),
      forgetTenant: async tenantId => (await gatekeeper()).forgetTenant(tenantId),
      forgetAll: async () => (await gatekeeper()).forgetAll(),
    },
    close: async () => opened?.destroy(),
  }
}
