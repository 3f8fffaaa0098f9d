import { z } from 'zod'
import { lineOfText } from '../parameters.ts'

export const defaultPlanName = 'default'

/** Per minute and key; per UTC month and tenant. */
export const defaultPlan = {
  name: defaultPlanName,
  rateLimitPerMinute: 60,
  readRateLimitPerMinute: 6_000,
  monthlyQuota: 10_000,
  hardLimit: 20_000,
  overage: false,
}

export const planName = lineOfText("The plan's name", 64)

/** The largest number that the database's `int` holds. */
const countMax = 2_147_483_647

function count(label: string, min: number) {
  const message = `${label} must be a whole number from ${min} to ${countMax}.`
  return z.int(message).min(min, message).max(countMax, message)
}

/** A quota of 0 admits nobody; a rate of 0 would say no more, and hide why. */
export const planValues = {
  rateLimitPerMinute: count('The rate limit', 1),
  readRateLimitPerMinute: count('The read rate limit', 1),
  monthlyQuota: count('The monthly quota', 0),
  hardLimit: count('The hard limit', 0),
  overage: z.boolean('Overage must be true or false.'),
}
