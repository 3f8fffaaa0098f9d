import { z } from 'zod'
import { lineOfText } from '../parameters.ts'

/** The largest value of PostgreSQL's `int`. */
const postgresIntMax = 2_147_483_647

export const planName = lineOfText("The plan's name", 64)

/** A quota of 0 blocks all starts. Rate limits start at 1: a rate of 0 would block too, but report the wrong reason. */
export const planLimits = {
  rateLimitPerMinute: count('The rate limit', 1),
  readRateLimitPerMinute: count('The read rate limit', 1),
  monthlyQuota: count('The monthly quota', 0),
  hardLimit: count('The hard limit', 0),
  overage: z.boolean('Overage must be true or false.'),
}

function count(label: string, min: number) {
  const message = `${label} must be a whole number from ${min} to ${postgresIntMax}.`
  return z.int(message).min(min, message).max(postgresIntMax, message)
}
