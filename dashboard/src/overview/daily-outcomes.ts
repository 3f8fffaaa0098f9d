import type { Outputs } from '../trpc/trpc.ts'

export type Day = Outputs['usage']['daily']['items'][number]
export type Outcome = 'approved' | 'denied' | 'rejected' | 'resubmission' | 'submitted'

/** In the order of a bar's segments, from the bottom. The colours are defined in theme/tokens.css. */
export const outcomes: { outcome: Outcome; label: string; color: string }[] = [
  { outcome: 'approved', label: 'Approved', color: 'var(--approved)' },
  { outcome: 'denied', label: 'Denied', color: 'var(--denied)' },
  { outcome: 'rejected', label: 'Rejected', color: 'var(--rejected)' },
  { outcome: 'resubmission', label: 'Resubmission', color: 'var(--attention)' },
  { outcome: 'submitted', label: 'Submitted', color: 'var(--waiting)' },
]

/** The height of the day's bar. */
export function outcomesOf(day: Day): number {
  return outcomes.reduce((sum, { outcome }) => sum + day[outcome], 0)
}

export function sumOf(days: readonly Day[], outcome: Outcome): number {
  return days.reduce((sum, day) => sum + day[outcome], 0)
}
