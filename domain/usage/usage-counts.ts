import type { UsageDay } from './usage-day.entity.ts'

/** What a period's verifications came to, as stored by day, and what follows from it. */
export interface UsageCounts extends Pick<UsageDay, SummedCount> {
  /** Of the approved ones. */
  ageUnknown: number
}

export const summedCounts = [
  'started',
  'opened',
  'userSubmitted',
  'approved',
  'denied',
  'rejected',
  'submitted',
  'resubmission',
  'over18',
  'under18',
  'adultsByDate',
  'adultsByYear',
  'adultsByEstimate',
  'revokedByTenant',
  'revokedByOperator',
  'revokedByProvider',
  'revokedBySigningKey',
  'revokedByErasure',
  'erased',
] as const
type SummedCount = (typeof summedCounts)[number]

/** The counts of several days together. */
export function sumUsage(days: readonly UsageDay[]): UsageCounts {
  const sums = Object.fromEntries(
    summedCounts.map(name => [name, days.reduce((sum, day) => sum + day[name], 0)]),
  ) as Record<SummedCount, number>
  return {
    ...sums,
    ageUnknown: sums.approved - sums.over18 - sums.under18,
  }
}
