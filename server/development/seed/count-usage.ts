import { dayOf, monthOf } from '#domain/usage/usage-period.ts'
import type { VerificationStatus } from '#domain/verification/verification.policy.ts'
import type { InventedVerification } from './invent-verification.ts'

type Counted = 'started' | Exclude<VerificationStatus, 'pending' | 'started'>
type Day = Record<Counted, number> & { tenant_id: string; day: string }

/** What the verifications add to the tenant's usage: starts by day and month, completions by their own day. */
export function countUsage(tenantId: string, verifications: InventedVerification[]) {
  const days = new Map<string, Day>()
  const months = new Map<string, number>()
  const count = (at: Date, counted: Counted) => {
    const day = dayOf(at)
    const usage = days.get(day) ?? { tenant_id: tenantId, day, ...nothing }
    days.set(day, { ...usage, [counted]: usage[counted] + 1 })
  }
  for (const { createdAt, state } of verifications) {
    const month = monthOf(createdAt)
    months.set(month, (months.get(month) ?? 0) + 1)
    count(createdAt, 'started')
    if (state.completedAt) count(state.completedAt, state.status as Counted)
  }
  return {
    days: [...days.values()],
    months: [...months].map(([month, used]) => ({ tenant_id: tenantId, month, used })),
  }
}

const nothing: Record<Counted, number> = {
  ...{ started: 0, approved: 0, denied: 0, rejected: 0, submitted: 0, resubmission: 0 },
}
