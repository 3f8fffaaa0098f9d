import type { RateLimiter } from '#domain/ports.ts'
import { rateWindow, windowMs, windowNumber } from '#domain/usage/rate-window.ts'
import { type Redis, withRedis } from './open-redis.ts'

/** A window's counter outlives it by a while, for processes whose clocks are late. */
export const counterTtlMs = 2 * windowMs

export function createRedisRateLimiter(redis: Redis): RateLimiter {
  return {
    async hit(bucket, limit, now) {
      const count = await withRedis(() => redis.hit(`window:${bucket}:${windowNumber(now)}`, counterTtlMs))
      return rateWindow(count, limit, now)
    },
  }
}
