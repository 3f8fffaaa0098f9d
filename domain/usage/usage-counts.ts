import { medianSeconds } from './duration-histogram.ts'
import type { UsageDay } from './usage-day.entity.ts'

/** What a period's verifications came to. Starts count for the time of the start, all others for that of the completion. */
export interface UsageCounts {
  started: number
  /** Of the completed verifications, those whose user had opened the hosted page. */
  opened: number
  /** Of the completed verifications, those whose user had submitted. */
  userSubmitted: number
  /** The completed verifications, by final status. */
  approved: number
  denied: number
  rejected: number
  submitted: number
  resubmission: number
  /** The approved ones, by age. */
  over18: number
  under18: number
  ageUnknown: number
  /** From start to completion of the approved and denied ones; null if there are none. At most a factor of √2 off. */
  medianSeconds: number | null
}

const summed = [
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
] as const
type Summed = (typeof summed)[number]

/** The counts of several days together. */
export function sumUsage(days: readonly UsageDay[]): UsageCounts {
  const sums = Object.fromEntries(
    summed.map(name => [name, days.reduce((sum, day) => sum + day[name], 0)]),
  ) as Record<Summed, number>
  return {
    ...sums,
    ageUnknown: sums.approved - sums.over18 - sums.under18,
    medianSeconds: rounded(medianSeconds(days.map(({ durations }) => durations))),
  }
}

/** To tenths. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10
}
