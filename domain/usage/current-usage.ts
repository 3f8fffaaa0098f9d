import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { UsageMonth } from './usage-month.entity.ts'
import { monthEnd, monthOf } from './usage-period.ts'

export interface CurrentUsage {
  /** Successful starts in this UTC month. */
  used: number
  monthlyQuota: number
  hardLimit: number
  overage: boolean
  resetsAt: Date
}

export async function currentUsage(scope: TenantScope): Promise<CurrentUsage> {
  const { id: tenantId, plan } = await findTenant(scope)
  const { monthlyQuota, hardLimit, overage } = plan
  const usage = await scope.em.findOne(UsageMonth, { tenantId, month: monthOf(scope.now) })
  return { used: usage?.used ?? 0, monthlyQuota, hardLimit, overage, resetsAt: monthEnd(scope.now) }
}
