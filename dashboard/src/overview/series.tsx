import type { Outputs } from '../trpc/trpc.ts'
import type { Filters } from '../verifications/filters.ts'
import classes from './daily-chart.module.css'

export type Day = Outputs['usage']['daily']['items'][number]

/** A count of each day: a segment of its bar. */
export interface Series {
  count:
    | 'approved'
    | 'denied'
    | 'rejected'
    | 'resubmission'
    | 'submitted'
    | 'over18'
    | 'under18'
    | 'ageUnknown'
  label: string
  /** Defined in theme/tokens.css. */
  color: string
  /** The verifications that it counts. */
  filter: Partial<Filters>
}

export type AgeSeries = Series & { count: 'over18' | 'under18' | 'ageUnknown' }

/** In the order of a bar's segments, from the bottom. */
export const resultSeries: readonly Series[] = [
  // Not the green of a pass: it counts approved minors, too.
  {
    count: 'approved',
    label: 'Approved',
    color: 'var(--mantine-primary-color-filled)',
    filter: { statuses: ['approved'] },
  },
  { count: 'denied', label: 'Denied', color: 'var(--denied)', filter: { statuses: ['denied'] } },
  { count: 'rejected', label: 'Rejected', color: 'var(--rejected)', filter: { statuses: ['rejected'] } },
  {
    count: 'resubmission',
    label: 'Resubmission',
    color: 'var(--attention)',
    filter: { statuses: ['resubmission'], state: 'completed' },
  },
  {
    count: 'submitted',
    label: 'Submitted',
    color: 'var(--neutral)',
    filter: { statuses: ['submitted'], state: 'completed' },
  },
]

/** Of approved verifications. */
export const ageSeries: readonly AgeSeries[] = [
  {
    count: 'over18',
    label: '18+',
    color: 'var(--approved)',
    filter: { statuses: ['approved'], over18: 'yes' },
  },
  {
    count: 'under18',
    label: 'Under 18',
    color: 'var(--attention)',
    filter: { statuses: ['approved'], over18: 'no' },
  },
  {
    count: 'ageUnknown',
    label: 'Age unknown',
    color: 'var(--neutral)',
    filter: { statuses: ['approved'], over18: 'unknown' },
  },
]

export function totalOf(day: Day, series: readonly Series[]): number {
  return series.reduce((sum, { count }) => sum + day[count], 0)
}

export function sumOf(days: readonly Day[], count: Series['count'] | 'started'): number {
  return days.reduce((sum, day) => sum + day[count], 0)
}

/** The colour of a series beside its label. Keeps its colour where the user's colours are forced. */
export function Swatch({ color }: { color: string }) {
  return <span className={classes.swatch} style={{ background: color }} />
}
