import { z } from 'zod'
import { invalidParameter, readParameter } from '../parameters.ts'
import { dayOf } from './usage-period.ts'

export interface DaysRequest {
  /** First UTC day, `YYYY-MM-DD`. */
  from?: string | undefined
  /** Last UTC day, inclusive; today if omitted. */
  to?: string | undefined
}

const daysMax = 366
const dayMs = 24 * 60 * 60 * 1000

/**
 * Every UTC day of a period. `firstBefore` gives its first day where the request does not. Throws `INVALID_PARAMETERS` for
 * more than 366 days.
 */
export function readDays(
  request: DaysRequest,
  now: Date,
  firstBefore: (last: Date) => string,
): [string, ...string[]] {
  const to = readParameter('to', utcDay, request.to ?? dayOf(now))
  const from = readParameter('from', utcDay, request.from ?? firstBefore(new Date(to)))
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (count < 1) throw invalidParameter('to', 'The last day must not be before the first.')
  if (count > daysMax) throw invalidParameter('from', `At most ${daysMax} days can be requested at once.`)
  const later = Array.from({ length: count - 1 }, (_, index) => daysAfter(new Date(from), index + 1))
  return [from, ...later]
}

/** The UTC day so many days after that of a time, or before it. */
export function daysAfter(time: Date, days: number): string {
  return dayOf(new Date(time.getTime() + days * dayMs))
}

const utcDay = z.iso.date('The day must be written as YYYY-MM-DD.')
