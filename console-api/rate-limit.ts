import { DomainError } from '#domain/errors.ts'
import type { RateLimiter } from '#domain/ports.ts'
import { secondsUntil } from '#domain/usage/usage-period.ts'
import type { User } from './authenticate.ts'

/** Calls per minute and user. Every call of a batch counts. */
export const callsPerMinute = 600

/** Counts a call. Throws `RATE_LIMIT_EXCEEDED` with the seconds to wait, or `REDIS_ERROR`. */
export async function limitRate(limiter: RateLimiter, user: User, now: Date): Promise<void> {
  const bucket = `console:${user.issuer} ${user.subject}`
  const { exceeded, resetsAt } = await limiter.hit(bucket, callsPerMinute, now)
  if (!exceeded) return
  throw new DomainError('RATE_LIMIT_EXCEEDED', {
    details: { retryAfterSeconds: secondsUntil(resetsAt, now) },
  })
}
