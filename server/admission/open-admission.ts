import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock, KeyCache, RateLimiter } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { KeyAdmission } from '#rest/ports.ts'
import { nameVariable } from '../start-error.ts'
import type { Redis } from './connection/keep-connected.ts'
import { type RedisSettings, redisVariable } from './connection/redis-settings.ts'
import { KnownKeys } from './known-keys.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { createUncachedKeyAdmission, emptyKeyCache } from './uncached-key-admission.ts'

export interface Admission {
  /** Undefined where everything is kept in memory. */
  redis: Redis | undefined
  /** Lets the operator's command line recognise the Redis. Returns how to stop that. */
  keepRedisId(clock: Clock): Promise<() => void>
  rateLimiter: RateLimiter
  keyAdmission: KeyAdmission
  keyCache: KeyCache
  knownKeys: KnownKeys
}

/** What admits API keys and counts requests: in Redis, or without its settings in this process alone. */
export async function openAdmission(
  settings: RedisSettings | undefined,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Admission> {
  const admission = settings ? await openInRedis(settings, pool, log, registry) : openInMemory(pool)
  const knownKeys = new KnownKeys()
  return { ...admission, keyAdmission: knownKeys.remember(admission.keyAdmission), knownKeys }
}

function openInMemory(pool: StatementPool): Omit<Admission, 'knownKeys'> {
  const rateLimiter = createMemoryRateLimiter()
  const keyAdmission = createUncachedKeyAdmission(pool, rateLimiter)
  return {
    redis: undefined,
    keepRedisId: async () => () => {},
    rateLimiter,
    keyAdmission,
    keyCache: emptyKeyCache,
  }
}

/** Loads the client of Redis, a quarter of all modules of a process, only where it is used. */
async function openInRedis(
  settings: RedisSettings,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Omit<Admission, 'knownKeys'>> {
  const [
    { openRedis },
    { measureRedis },
    { createRedisKeyAdmission },
    { createRedisKeyCache },
    { keepRedisId },
    { createRedisRateLimiter },
  ] = await Promise.all([
    import('./connection/open-redis.ts'),
    import('./connection/measure-redis.ts'),
    import('./redis-key-admission.ts'),
    import('./redis-key-cache.ts'),
    import('./redis-id.ts'),
    import('./redis-rate-limiter.ts'),
  ])
  const opened = await openRedis(settings, log).catch(nameVariable(`${redisVariable(settings)}: Redis`))
  const redis = measureRedis(opened, registry)
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
