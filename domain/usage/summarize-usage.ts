import type { TenantScope } from '../scope.ts'
import { sumUsage, type UsageCounts } from './usage-counts.ts'
import { UsageDay } from './usage-day.entity.ts'
import { countDays, type UsageDays, usageDays } from './usage-days.ts'
import { addDays, dayOf } from './usage-period.ts'

export interface UsageSummary {
  current: PeriodUsage
  /** The days of the period that are over beside as many before; null if there are none, or there was no usage as long ago. */
  change: { current: PeriodUsage; previous: PeriodUsage } | null
}

/** What happened from one UTC day to another, both inclusive. */
export interface PeriodUsage extends Omit<UsageCounts, 'userSubmitted' | 'resubmission'> {
  from: string
  to: string
  /** Verifications that were completed. Those that are counted below are among them. */
  ended: number
  /** Those whose user had submitted. */
  submitted: number
  /** Those approved or denied. */
  decided: number
}

/** At most 732 days of counts are read, and no verification. Throws `INVALID_PARAMETERS` for a period of more than 366 days. */
export async function summarizeUsage(scope: TenantScope, request: UsageDays = {}): Promise<UsageSummary> {
  const { from, to } = usageDays(scope, request)
  const yesterday = addDays(dayOf(scope.now), -1)
  const over = { from, to: to < yesterday ? to : yesterday }
  const count = countDays(over)
  const previous = { from: addDays(from, -count), to: addDays(from, -1) }
  const { tenantId } = scope.actor
  const stored = await scope.em.find(UsageDay, { tenantId, day: { $gte: previous.from, $lte: to } })
  const usageOf = (days: { from: string; to: string }) =>
    toPeriodUsage(
      stored.filter(({ day }) => day >= days.from && day <= days.to),
      days,
    )
  const isComparable =
    count > 0 && (await scope.em.findOne(UsageDay, { tenantId, day: { $lte: previous.from } })) !== null
  return {
    current: usageOf({ from, to }),
    change: isComparable ? { current: usageOf(over), previous: usageOf(previous) } : null,
  }
}

/** The usage of these days together. */
export function toPeriodUsage(
  days: readonly UsageDay[],
  { from, to }: { from: string; to: string },
): PeriodUsage {
  const { userSubmitted, submitted, resubmission, ...counts } = sumUsage(days)
  const { approved, denied, rejected } = counts
  const ended = approved + denied + rejected + submitted + resubmission
  return { from, to, ...counts, ended, submitted: userSubmitted, decided: approved + denied }
}
