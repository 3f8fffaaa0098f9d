import { DomainError } from '../errors.ts'
import { monthEnd, secondsUntil } from './usage-period.ts'

/** How many starts the plan allows in a month, and how many were counted when one more was rejected. */
export interface MonthlyLimit {
  code: 'QUOTA_EXCEEDED' | 'HARD_LIMIT_EXCEEDED'
  limit: number
  used: number
}

/** Which limit rejects a start after so many; `starts` is how many the plan allows in a month. */
export function monthlyLimitCode(
  { starts, hardLimit }: { starts: number; hardLimit: number },
  used: number,
): MonthlyLimit['code'] {
  return starts === hardLimit || used >= hardLimit ? 'HARD_LIMIT_EXCEEDED' : 'QUOTA_EXCEEDED'
}

const limitNames = { QUOTA_EXCEEDED: 'monthly quota', HARD_LIMIT_EXCEEDED: 'absolute usage ceiling' }

/** The error of a start beyond a limit, with its numbers and the advice not to wait for the end of the month. */
export function monthlyLimitReached({ code, limit, used }: MonthlyLimit, now: Date): DomainError {
  const resetsAt = monthEnd(now)
  return new DomainError(code, {
    message:
      `The plan's ${limitNames[code]} is reached (${numbers.format(limit)}); it resets at ${toSecond(resetsAt)}. ` +
      "Don't wait for it: ask the operator of this service for a larger plan.",
    details: {
      limit,
      used,
      resetsAt: resetsAt.toISOString(),
      retryAfterSeconds: secondsUntil(resetsAt, now),
    },
  })
}

const numbers = new Intl.NumberFormat('en-US')

function toSecond(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z')
}
