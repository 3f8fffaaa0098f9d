import type { Registry } from 'prom-client'
import type { Redis } from '../redis/open-redis.ts'
import { observeCalls } from './observe-calls.ts'

/** Redis, with the duration and result of each command counted; also of those that fail because the connection is lost. */
export function observeRedis(redis: Redis, registry: Registry): Redis {
  const observe = observeCalls({
    registry,
    name: 'age_verification_redis_command_duration_seconds',
    help: 'Seconds that commands took in Redis, by command and result',
    label: 'command',
    calls: ['count'],
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5],
    failures: ['error'],
    classify: () => 'error',
  })
  return { ...redis, count: (...given) => observe('count', () => redis.count(...given)) }
}
