import { z } from 'zod'
import { invalidParameter, readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { dayOf, monthOf } from './usage.policy.ts'
import { UsageDay } from './usage-day.entity.ts'

export interface DailyUsageRequest {
  tenantId: string
  /** UTC day, `YYYY-MM-DD`; the first of the last day's month where it is not named. */
  from?: string | undefined
  /** UTC day, itself included; today where it is not named. */
  to?: string | undefined
}

export interface DailyUsage {
  /** UTC. */
  day: string
  /** Verifications started on the day. */
  started: number
  /** Verifications completed on the day, by the status that they completed in. */
  approved: number
  denied: number
  rejected: number
  submitted: number
  resubmission: number
}

const daysMax = 366
const dayMs = 24 * 60 * 60 * 1000

/** One item a day, also for days on which nothing happened. Throws `INVALID_PARAMETERS` for over 366 days. */
export async function dailyUsage(scope: Scope, request: DailyUsageRequest): Promise<DailyUsage[]> {
  const { tenantId } = request
  const to = readParameter('to', utcDay, request.to ?? dayOf(scope.now))
  const from = readParameter('from', utcDay, request.from ?? monthOf(new Date(to)))
  const days = daysBetween(from, to)
  const found = await scope.em.fork().find(UsageDay, { tenantId, day: { $gte: from, $lte: to } })
  const byDay = new Map(found.map(usage => [usage.day, usage]))
  return days.map(day => presentDay(day, byDay.get(day)))
}

const utcDay = z.iso.date('The day must be written as YYYY-MM-DD.')

function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (count < 1) throw invalidParameter('to', 'The last day must not be before the first.')
  if (count > daysMax) throw invalidParameter('from', `At most ${daysMax} days can be asked for at once.`)
  return Array.from({ length: count }, (_, index) => dayOf(new Date(Date.parse(from) + index * dayMs)))
}

function presentDay(day: string, usage: UsageDay | undefined): DailyUsage {
  const { started = 0, approved = 0, denied = 0, rejected = 0, submitted = 0, resubmission = 0 } = usage ?? {}
  return { day, started, approved, denied, rejected, submitted, resubmission }
}
