import { DomainError } from '#domain/errors.ts'
import type { RateWindow } from '#domain/rate-window.ts'
import { secondsUntil } from '#domain/usage/usage-period.ts'

/** The headers of the response to every counted request. */
export function windowHeaders({ limit, remaining, resetsAt }: RateWindow) {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetsAt.getTime() / 1000)),
  }
}

/** Throws `RATE_LIMIT_EXCEEDED`. */
export function assertWithinLimit({ limit, exceeded, resetsAt }: RateWindow, now: Date): void {
  if (!exceeded) return
  const retryAfterSeconds = secondsUntil(resetsAt, now)
  throw new DomainError('RATE_LIMIT_EXCEEDED', {
    message: `The limit of ${limit} requests per minute is reached. Retry in ${retryAfterSeconds} seconds.`,
    details: { retryAfterSeconds },
  })
}
