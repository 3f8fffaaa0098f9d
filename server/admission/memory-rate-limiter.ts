import type { RateLimiter } from '#console-api/rate-limit.ts'
import { rateWindow, windowNumber } from '#domain/usage/rate-window.ts'

/** Counts in this process's memory, so it's for deployments with a single process. */
export function createMemoryRateLimiter(): RateLimiter {
  let current = 0
  let counts = new Map<string, number>()
  return {
    async hit(bucket, limit, now) {
      if (windowNumber(now) !== current) {
        current = windowNumber(now)
        counts = new Map()
      }
      const count = (counts.get(bucket) ?? 0) + 1
      counts.set(bucket, count)
      return rateWindow(count, limit, now)
    },
  }
}
