import type { TenantScope } from '../scope.ts'
import { sumUsage, type UsageCounts } from './usage-counts.ts'
import { UsageDay } from './usage-day.entity.ts'
import { listDays, type UsageDays, usageDays } from './usage-days.ts'

export interface DailyUsage extends UsageCounts {
  /** UTC. */
  day: string
}

/** One item per day, including days without usage. Throws `INVALID_PARAMETERS` for more than 366 days. */
export async function dailyUsage(scope: TenantScope, request: UsageDays = {}): Promise<DailyUsage[]> {
  const { tenantId } = scope.actor
  const { from, to, count } = usageDays(scope, request)
  const found = await scope.em.find(UsageDay, { tenantId, day: { $gte: from, $lte: to } })
  const byDay = new Map(found.map(usage => [usage.day, usage]))
  return listDays(from, count).map(day => ({ day, ...sumUsage([byDay.get(day) ?? []].flat()) }))
}
