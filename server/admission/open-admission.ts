import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock, KeyCache, RateLimiter } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { KeyAdmission } from '#rest/ports.ts'
import type { Redis } from '../redis/open-redis.ts'
import type { RedisSettings } from '../redis/redis-settings.ts'
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
}

/** What admits API keys and counts requests: in Redis, or without its settings in this process alone. */
export async function openAdmission(
  settings: RedisSettings | undefined,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Admission & { knownKeys: KnownKeys }> {
  const admission = settings ? await openInRedis(settings, pool, log, registry) : openInMemory(pool)
  const knownKeys = new KnownKeys()
  return { ...admission, keyAdmission: knownKeys.remember(admission.keyAdmission), knownKeys }
}

function openInMemory(pool: StatementPool): Admission {
  const rateLimiter = createMemoryRateLimiter()
  return {
    redis: undefined,
    keepRedisId: async () => () => {},
    rateLimiter,
    keyAdmission: createUncachedKeyAdmission(pool, rateLimiter),
    keyCache: emptyKeyCache,
  }
}

/** Loads the client of Redis, a quarter of all modules of a process, only where it is used. */
async function openInRedis(
  ...options: [settings: RedisSettings, pool: StatementPool, log: DomainLog, registry: Registry]
): Promise<Admission> {
  const { openRedisAdmission } = await import('./open-redis-admission.ts')
  return await openRedisAdmission(...options)
}
