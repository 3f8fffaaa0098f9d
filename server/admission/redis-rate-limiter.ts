import type { RateLimiter } from '#domain/ports.ts'
import { rateWindow, windowMs, windowNumber } from '#domain/rate-window.ts'
import { nameWindow } from '../redis/key-names.ts'
import type { Redis } from '../redis/open-redis.ts'
import { withRedis } from '../redis/open-redis.ts'

/** Counters are kept for one more window, for processes whose clocks are behind. */
export const counterTtlMs = 2 * windowMs

export function createRedisRateLimiter(redis: Redis): RateLimiter {
  return {
    async hit(bucket, limit, now) {
      const count = await withRedis(() =>
        redis.commands.hit(nameWindow(bucket, windowNumber(now)), counterTtlMs),
      )
      return rateWindow(count, limit, now)
    },
  }
}
