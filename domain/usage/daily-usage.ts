import { z } from 'zod'
import { invalidParameter, readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { UsageDay } from './usage-day.entity.ts'
import { dayOf, monthOf } from './usage-period.ts'

export interface DailyUsageRequest {
  /** First UTC day, `YYYY-MM-DD`; if omitted, the first day of the month of `to`. */
  from?: string | undefined
  /** Last UTC day, inclusive; today if omitted. */
  to?: string | undefined
}

export interface DailyUsage {
  /** UTC. */
  day: string
  /** Verifications started on the day. */
  started: number
  /** Verifications completed on the day, by final status. */
  approved: number
  denied: number
  rejected: number
  submitted: number
  resubmission: number
}

const daysMax = 366
const dayMs = 24 * 60 * 60 * 1000

/** One item per day, including days without usage. Throws `INVALID_PARAMETERS` for more than 366 days. */
export async function dailyUsage(scope: TenantScope, request: DailyUsageRequest = {}): Promise<DailyUsage[]> {
  const { tenantId } = scope.actor
  const to = readParameter('to', utcDay, request.to ?? dayOf(scope.now))
  const from = readParameter('from', utcDay, request.from ?? monthOf(new Date(to)))
  const days = daysBetween(from, to)
  const found = await scope.em.find(UsageDay, { tenantId, day: { $gte: from, $lte: to } })
  const byDay = new Map(found.map(usage => [usage.day, usage]))
  return days.map(day => presentDay(day, byDay.get(day)))
}

const utcDay = z.iso.date('The day must be written as YYYY-MM-DD.')

function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (count < 1) throw invalidParameter('to', 'The last day must not be before the first.')
  if (count > daysMax) throw invalidParameter('from', `At most ${daysMax} days can be requested at once.`)
  return Array.from({ length: count }, (_, index) => dayOf(new Date(Date.parse(from) + index * dayMs)))
}

function presentDay(day: string, usage: UsageDay | undefined): DailyUsage {
  const { started = 0, approved = 0, denied = 0, rejected = 0, submitted = 0, resubmission = 0 } = usage ?? {}
  return { day, started, approved, denied, rejected, submitted, resubmission }
}
