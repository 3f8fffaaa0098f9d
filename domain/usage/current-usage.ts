import type { Scope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { monthlyUsage } from './monthly-usage.ts'
import { monthEnd } from './usage.policy.ts'

export interface CurrentUsage {
  /** Successful starts of this UTC month. */
  used: number
  monthlyQuota: number
  hardLimit: number
  overage: boolean
  resetsAt: Date
}

export async function currentUsage(scope: Scope, { tenantId }: { tenantId: string }): Promise<CurrentUsage> {
  const { plan } = await findTenant(scope.em.fork(), tenantId)
  const { monthlyQuota, hardLimit, overage } = plan
  const used = (await monthlyUsage(scope, [tenantId])).get(tenantId) ?? 0
  return { used, monthlyQuota, hardLimit, overage, resetsAt: monthEnd(scope.now) }
}
