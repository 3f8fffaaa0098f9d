import type { ReactNode } from 'react'
import { TenantLink } from '../session/links.tsx'
import { type Filters, filterQuery } from '../verifications/filters.ts'
import type { Status } from '../verifications/status.ts'
import classes from './overview.module.css'

/** A count of each day: a segment of its bar. */
export interface Series {
  /** Its name among the counts. */
  count: string
  label: string
  /** Defined in server/pages/html/tokens.css. */
  color: string
  /** The verifications that it counts. */
  filter: Partial<Filters>
}

/** In the order of a bar's segments, from the bottom. */
export const resultSeries: readonly Series[] = [
  // Not the green of a pass: it counts approved minors, too.
  ofResult('approved', 'Approved', 'var(--mantine-primary-color-filled)'),
  ofResult('denied', 'Denied', 'var(--denied)'),
  ofResult('rejected', 'Rejected', 'var(--rejected)'),
  ofResult('resubmission', 'Resubmission', 'var(--attention)', 'completed'),
  ofResult('submitted', 'Submitted', 'var(--neutral)', 'completed'),
]

function ofResult(count: Status, label: string, color: string, state?: 'completed'): Series {
  return { count, label, color, filter: { statuses: [count], state } }
}

/** Of approved verifications. They are no segments. */
export const ageSeries: readonly Omit<Series, 'color'>[] = [
  { count: 'over18', label: '18+', filter: { statuses: ['approved'], over18: 'yes' } },
  { count: 'under18', label: 'Under 18', filter: { statuses: ['approved'], over18: 'no' } },
  { count: 'ageUnknown', label: 'Age unknown', filter: { statuses: ['approved'], over18: 'unknown' } },
]

/** Of the reasons of denials, the most frequent first. They differ in lightness, which everyone sees. */
export const reasonColors = [
  'var(--text) 60%',
  'var(--text) 20%',
  'var(--surface) 10%',
  'var(--surface) 28%',
  'var(--surface) 45%',
].map(other => `color-mix(in oklab, var(--denied), ${other})`)

export const otherReasonsColor = 'color-mix(in oklab, var(--neutral), var(--surface) 50%)'

/** To the verifications with a filter, whose days are UTC days, by default of the completion. */
export function ListLink({ filter, children }: { filter: Partial<Filters>; children: ReactNode }) {
  const days = filter.from ? ({ by: 'completed', zone: 'utc' } as const) : {}
  return <TenantLink to={`/verifications?${filterQuery({ ...days, ...filter })}`}>{children}</TenantLink>
}

/** Of the line of the approval rate. */
export const rateColor = 'var(--text)'

/** The colour of a series beside its label. Keeps its colour where the user's colours are forced. */
export function Swatch({ color, isLine = false }: { color: string; isLine?: boolean }) {
  return <span className={classes.swatch} data-line={isLine} style={{ background: color }} />
}
