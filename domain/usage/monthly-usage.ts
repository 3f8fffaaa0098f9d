import type { Scope } from '../scope.ts'
import { monthOf } from './usage.policy.ts'
import { UsageMonth } from './usage-month.entity.ts'

/** Successful starts of this UTC month by tenant; none for a tenant that is missing from the answer. */
export async function monthlyUsage(scope: Scope, tenantIds: readonly string[]): Promise<Map<string, number>> {
  const where = { month: monthOf(scope.now), tenantId: { $in: [...tenantIds] } }
  const months = await scope.em.fork().find(UsageMonth, where)
  return new Map(months.map(({ tenantId, used }) => [tenantId, used]))
}
