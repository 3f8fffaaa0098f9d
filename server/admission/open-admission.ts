import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { RedisSettings } from '../configuration/redis-settings.ts'
import { KnownKeys } from './known-keys.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { Admission } from './open-redis-admission.ts'
import { createUncachedKeyAdmission, emptyKeyCache } from './uncached-key-admission.ts'

/** What admits API keys and counts requests: in Redis, or without its settings in this process alone. */
export async function openAdmission(
  settings: RedisSettings | undefined,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Admission & { knownKeys: KnownKeys }> {
  // The client of Redis, a quarter of all modules of a process, is loaded only where it is used.
  const admission = settings
    ? await (await import('./open-redis-admission.ts')).openRedisAdmission(settings, pool, log, registry)
    : openInMemory(pool)
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
