import { z } from 'zod'
import { waitSecondsMax } from '#domain/await-change.ts'

/** The query parameter of endpoints that can wait. Absent, it is undefined. */
export function waitParameter(description: string) {
  return z
    .string()
    .refine(isWait, `must be a whole number of seconds from 0 to ${waitSecondsMax}`)
    .transform(Number)
    .optional()
    .meta({
      description,
      example: 25,
      override: { type: 'integer', minimum: 0, maximum: waitSecondsMax, default: 0 },
    })
}

/** For the end of a description. */
export const waitingIsBounded =
  'The request counts once in the rate limit. Too many requests that wait at the same time are rejected with 429 ' +
  '`RATE_LIMIT_EXCEEDED` and `Retry-After`.'

function isWait(text: string): boolean {
  return /^(0|[1-9]\d?)$/.test(text) && Number(text) <= waitSecondsMax
}
