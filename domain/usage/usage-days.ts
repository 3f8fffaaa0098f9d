import { z } from 'zod'
import { invalidParameter, readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { addDays, dayMs, dayOf, toMonth } from './usage-period.ts'

export interface UsageDays {
  /** First UTC day, `YYYY-MM-DD`; if omitted, the first day of the month of `to`. */
  from?: string | undefined
  /** Last UTC day, inclusive; today if omitted. */
  to?: string | undefined
}

const daysMax = 366

/** The days of a request, both inclusive, and how many they are. Throws `INVALID_PARAMETERS` for more than 366. */
export function usageDays(
  { now }: TenantScope,
  request: UsageDays,
): { from: string; to: string; count: number } {
  const to = readParameter('to', utcDay, request.to ?? dayOf(now))
  const from = readParameter('from', utcDay, request.from ?? toMonth(new Date(to)))
  const count = countDays({ from, to })
  if (count < 1) throw invalidParameter('to', 'The last day must not be before the first.')
  if (count > daysMax) throw invalidParameter('from', `At most ${daysMax} days can be requested at once.`)
  return { from, to, count }
}

const utcDay = z.iso
  .date('The day must be written as YYYY-MM-DD.')
  .refine(day => day >= '1970-01-01', 'The day must not be before 1970.')

/** Both inclusive; none or less if the last day is before the first. */
export function countDays({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1
}

/** `count` days from one on. */
export function listDays(from: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(from, index))
}
