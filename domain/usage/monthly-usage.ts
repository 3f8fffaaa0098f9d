import type { OperatorScope } from '../scope.ts'
import { UsageMonth } from './usage-month.entity.ts'
import { monthOf } from './usage-period.ts'

/** Successful starts in this UTC month, by tenant; tenants without any are absent. */
export async function monthlyUsage(scope: OperatorScope): Promise<Map<string, number>> {
  const months = await scope.em.find(UsageMonth, { month: monthOf(scope.now) })
  return new Map(months.map(({ tenantId, used }) => [tenantId, used]))
}
