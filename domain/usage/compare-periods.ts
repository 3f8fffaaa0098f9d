import type { TenantScope } from '../scope.ts'
import { type PeriodUsage, toPeriodUsage } from './summarize-usage.ts'
import { UsageDay } from './usage-day.entity.ts'
import { type UsageDays, usageDays } from './usage-days.ts'

export interface PeriodComparison {
  current: PeriodUsage
  previous: PeriodUsage
  /** The first UTC day that has any usage; null for none. A period that begins before has less than it could have. */
  firstDay: string | null
}

/** Two periods of at most 366 days each. No verification is read. Throws `INVALID_PARAMETERS` for more. */
export async function comparePeriods(
  scope: TenantScope,
  { current, previous }: Record<'current' | 'previous', UsageDays>,
): Promise<PeriodComparison> {
  const { em, actor } = scope
  const { tenantId } = actor
  const first = await em.findOne(UsageDay, { tenantId }, { orderBy: { day: 'asc' } })
  const usageOf = async ({ from, to }: { from: string; to: string }) =>
    toPeriodUsage(await em.find(UsageDay, { tenantId, day: { $gte: from, $lte: to } }), { from, to })
  return {
    current: await usageOf(usageDays(scope, current)),
    previous: await usageOf(usageDays(scope, previous)),
    firstDay: first?.day ?? null,
  }
}
