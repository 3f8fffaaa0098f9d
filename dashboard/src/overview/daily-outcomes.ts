import type { Outputs } from '../../console/console.ts'

export type Day = Outputs['usage']['daily']['items'][number]
export type Outcome = Exclude<keyof Day, 'day' | 'started'>

/** From the bottom of a bar to its top; the names are those of the colours in theme/tokens.css too. */
export const outcomes: { outcome: Outcome; label: string; color: string }[] = [
  { outcome: 'approved', label: 'Approved', color: 'var(--approved)' },
  { outcome: 'denied', label: 'Denied', color: 'var(--denied)' },
  { outcome: 'rejected', label: 'Rejected', color: 'var(--rejected)' },
  { outcome: 'resubmission', label: 'Resubmission', color: 'var(--attention)' },
  { outcome: 'submitted', label: 'Submitted', color: 'var(--waiting)' },
]

export function completedOn(day: Day): number {
  return outcomes.reduce((sum, { outcome }) => sum + day[outcome], 0)
}

export function sumOf(days: readonly Day[], count: 'started' | Outcome): number {
  return days.reduce((sum, day) => sum + day[count], 0)
}
