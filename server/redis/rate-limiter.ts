import type { RateLimiter } from '#domain/ports.ts'
import { rateWindow, windowMs, windowNumber } from '#domain/rate-window.ts'
import { nameWindow } from './key-names.ts'
import { type Redis, withRedis } from './open-redis.ts'

/** Counters are kept for one more window, for processes whose clocks are behind. */
const counterTtlMs = 2 * windowMs

export function createRedisRateLimiter(redis: Redis): RateLimiter {
  return {
    async hit(bucket, limit, now) {
      const window = nameWindow(bucket, windowNumber(now))
      return rateWindow(await withRedis(() => redis.commands.hit(window, counterTtlMs)), limit, now)
    },
  }
}
