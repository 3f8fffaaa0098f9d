import { Refusal } from '#domain/errors.ts'
import type { RateLimiter } from '#domain/ports.ts'
import type { User } from './authenticate.ts'

/** Calls per minute and user; every call of a batch counts. */
export const callsPerMinute = 600

/** Counts a call. Throws `RATE_LIMIT_EXCEEDED` with the seconds to wait, or `REDIS_ERROR`. */
export async function limitRate(limiter: RateLimiter, user: User, now: Date): Promise<void> {
  const bucket = `console:${user.issuer} ${user.subject}`
  const { exceeded, resetsAt } = await limiter.hit(bucket, callsPerMinute, now)
  if (!exceeded) return
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000))
  throw new Refusal('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds } })
}
