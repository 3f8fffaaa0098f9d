import type { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import { KnownClients } from '#domain/fairness/known-clients.ts'
import type { DomainLog } from '#domain/scope.ts'
import { nameVariable } from '../configuration/start-error.ts'
import { createKeyAdmission } from './key-admission.ts'
import { createMemoryCounter } from './memory-counter.ts'

export const knownKeysMax = 50_000

/** What admits API keys and counts requests: in Redis, or without its URL in this process alone. */
export async function openAdmission(
  redisUrl: string | undefined,
  pool: StatementPool,
  log: DomainLog,
  registry: Registry,
) {
  const { redis, counter } = redisUrl
    ? await openCounters(redisUrl, log, registry)
    : { redis: undefined, counter: createMemoryCounter() }
  const knownKeys = new KnownClients(knownKeysMax)
  return { redis, counter, knownKeys, keyAdmission: createKeyAdmission(pool, counter, knownKeys) }
}

/** The client of Redis, a quarter of all modules of a process, is loaded only where it is used. */
async function openCounters(url: string, log: DomainLog, registry: Registry) {
  const { openRedis } = await import('../redis/open-redis.ts')
  const { createRedisCounter } = await import('../redis/redis-counter.ts')
  const { observeRedis } = await import('../telemetry/observe-redis.ts')
  const opened = await openRedis(url, log, { isAwaited: true }).catch(nameVariable('REDIS_URL: Redis'))
  const redis = observeRedis(opened, registry)
  return { redis, counter: createRedisCounter(redis) }
}
