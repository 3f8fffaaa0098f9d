import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'
import { observeCommands } from '../redis/observe-commands.ts'
import { openRedis } from '../redis/open-redis.ts'
import { keepRedisId } from '../redis/redis-id.ts'
import { type RedisSettings, redisVariable } from '../redis/redis-settings.ts'
import { nameVariable } from '../start-error.ts'
import type { Admission } from './open-admission.ts'
import { createRedisKeyAdmission } from './redis-key-admission.ts'
import { createRedisKeyCache } from './redis-key-cache.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import { createUncachedKeyAdmission } from './uncached-key-admission.ts'

export async function openRedisAdmission(
  settings: RedisSettings,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Admission> {
  const opened = await openRedis(settings, log).catch(nameVariable(`${redisVariable(settings)}: Redis`))
  const redis = observeCommands(opened, registry)
  const rateLimiter = createRedisRateLimiter(redis)
  return {
    redis,
    keepRedisId: clock => keepRedisId(redis, settings, pool, clock),
    rateLimiter,
    keyAdmission: redis.hasReplicationId
      ? createRedisKeyAdmission(redis, pool)
      : createUncachedKeyAdmission(pool, rateLimiter),
    keyCache: createRedisKeyCache(redis, pool),
  }
}
