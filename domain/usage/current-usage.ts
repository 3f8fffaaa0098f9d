import type { OperatorScope, TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { type MonthlyLimit, monthlyLimitCode } from './monthly-limit-reached.ts'
import { UsageDay } from './usage-day.entity.ts'
import { UsageMonth } from './usage-month.entity.ts'
import { addDays, dayMs, dayOf, monthEnd, toMonth } from './usage-period.ts'

export interface CurrentUsage {
  /** Successful starts in this UTC month. */
  used: number
  monthlyQuota: number
  hardLimit: number
  overage: boolean
  resetsAt: Date
  /** What further starts are rejected with; null while the plan allows some. */
  reached: MonthlyLimit['code'] | null
  /** Successful starts per day, of the last 7 days. */
  startsPerDay: number
  /**
   * When starts will be rejected at the pace of the last 7 days; null if that is not before `resetsAt`, or if they are
   * rejected already.
   */
  projectedEndAt: Date | null
}

export async function currentUsage(scope: TenantScope): Promise<CurrentUsage> {
  const { now, em } = scope
  const { id: tenantId, plan } = await findTenant(scope)
  const { monthlyQuota, hardLimit, overage } = plan
  const usage = await em.findOne(UsageMonth, { tenantId, month: toMonth(now) })
  const used = usage?.used ?? 0
  const resetsAt = monthEnd(now)
  const starts = overage ? hardLimit : Math.min(monthlyQuota, hardLimit)
  const left = starts - used
  const reached = left > 0 ? null : monthlyLimitCode({ starts, hardLimit }, used)
  const startsPerDay = await countStartsPerDay(scope)
  const endsAt = left > 0 ? now.getTime() + (left / startsPerDay) * dayMs : Number.POSITIVE_INFINITY
  const projectedEndAt = endsAt < resetsAt.getTime() ? new Date(endsAt) : null
  return { used, monthlyQuota, hardLimit, overage, resetsAt, reached, startsPerDay, projectedEndAt }
}

const paceDays = 7

/** The pace of today and the six UTC days before. */
async function countStartsPerDay({ em, actor, now }: TenantScope): Promise<number> {
  const first = addDays(dayOf(now), 1 - paceDays)
  const { tenantId } = actor
  const days = await em.find(UsageDay, { tenantId, day: { $gte: first, $lte: dayOf(now) } })
  const started = days.reduce((sum, day) => sum + day.started, 0)
  return (started * dayMs) / (now.getTime() - Date.parse(first))
}

/** Successful starts in this UTC month, by tenant; tenants without any are absent. */
export async function monthlyUsage(scope: OperatorScope): Promise<Map<string, number>> {
  const months = await scope.em.find(UsageMonth, { month: toMonth(scope.now) })
  return new Map(months.map(({ tenantId, used }) => [tenantId, used]))
}
