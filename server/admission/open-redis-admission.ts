import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock, KeyCache, RateLimiter } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { KeyAdmission } from '#rest/ports.ts'
import { type RedisSettings, redisVariable } from '../configuration/redis-settings.ts'
import { nameVariable } from '../configuration/start-error.ts'
import { openRedis, type Redis } from '../redis/open-redis.ts'
import { keepRedisId } from '../redis/redis-id.ts'
import { observeCommands } from '../telemetry/observe-commands.ts'
import { createRedisKeyAdmission, createRedisRateLimiter } from './redis-key-admission.ts'
import { createRedisKeyCache } from './redis-key-cache.ts'
import { createUncachedKeyAdmission } from './uncached-key-admission.ts'

export interface Admission {
  /** Undefined where everything is kept in memory. */
  redis: Redis | undefined
  /** Lets the operator's command line recognise the Redis. Returns how to stop that. */
  keepRedisId(clock: Clock): Promise<() => void>
  rateLimiter: RateLimiter
  keyAdmission: KeyAdmission
  keyCache: KeyCache
}

export async function openRedisAdmission(
  settings: RedisSettings,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Admission> {
  const opened = await openRedis(settings, log, { isAwaited: true }).catch(
    nameVariable(`${redisVariable(settings)}: Redis`),
  )
  const redis = observeCommands(opened, registry)
  const rateLimiter = createRedisRateLimiter(redis)
  const cached = createRedisKeyAdmission(redis, pool)
  const uncached = createUncachedKeyAdmission(pool, rateLimiter)
  return {
    redis,
    keepRedisId: clock => keepRedisId(redis, settings, pool, clock),
    rateLimiter,
    keyAdmission: { admit: request => (redis.hasReplicationId() ? cached : uncached).admit(request) },
    keyCache: createRedisKeyCache(redis, pool),
  }
}
