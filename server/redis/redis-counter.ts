import { DomainError } from '#domain/errors.ts'
import type { RequestCounter } from '#domain/ports.ts'
import { windowMs, windowNumber } from '#domain/rate-window.ts'
import { keyPrefix, type Redis } from './open-redis.ts'

/** Counters are kept for one more window, for processes whose clocks are behind. */
const counterTtlMs = 2 * windowMs

/** Counts for all processes together. */
export function createRedisCounter(redis: Pick<Redis, 'count'>): RequestCounter {
  return {
    async count(bucket, now) {
      const name = `${keyPrefix}window:${bucket}:${windowNumber(now)}`
      try {
        return await redis.count(name, counterTtlMs)
      } catch (error) {
        throw new DomainError('REDIS_ERROR', { cause: error })
      }
    },
  }
}
