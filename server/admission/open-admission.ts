import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { RateLimiter } from '#domain/ports.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { KeyAdmission } from '#rest/ports.ts'
import { nameVariable } from '../configuration/start-error.ts'
import type { Redis } from '../redis/open-redis.ts'
import { createKeyAdmission } from './key-admission.ts'
import { KnownKeys } from './known-keys.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

interface Admission {
  /** Undefined where everything is kept in memory. */
  redis: Redis | undefined
  rateLimiter: RateLimiter
  keyAdmission: KeyAdmission
  knownKeys: KnownKeys
}

/** What admits API keys and counts requests: in Redis, or without its URL in this process alone. */
export async function openAdmission(
  redisUrl: string | undefined,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
): Promise<Admission> {
  const { redis, rateLimiter } = redisUrl
    ? await openRedisCounters(redisUrl, log, registry)
    : { redis: undefined, rateLimiter: createMemoryRateLimiter() }
  const knownKeys = new KnownKeys()
  const keyAdmission = knownKeys.remember(createKeyAdmission(pool, rateLimiter))
  return { redis, rateLimiter, keyAdmission, knownKeys }
}

/** The client of Redis, a quarter of all modules of a process, is loaded only where it is used. */
async function openRedisCounters(url: string, log: DomainLog, registry: Registry) {
  const { openRedis } = await import('../redis/open-redis.ts')
  const { createRedisRateLimiter } = await import('../redis/rate-limiter.ts')
  const { observeCommands } = await import('../telemetry/observe-commands.ts')
  const opened = await openRedis(url, log, { isAwaited: true }).catch(nameVariable('REDIS_URL: Redis'))
  const redis = observeCommands(opened, registry)
  return { redis, rateLimiter: createRedisRateLimiter(redis) }
}
