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
  /** The verifications that it counts; undefined if no filter selects them. */
  filter: Partial<Filters> | undefined
  /** What it is the sum of, where its legend opens them. */
  parts?: readonly Omit<Series, 'color'>[]
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

/**
 * Of the reason of a denial, the same in every range; null for all others. Two reasons that differ by less than 40 differ in
 * their hue, or in their lightness, which everyone sees.
 */
export function reasonColor(reasonCode: string | null): string {
  if (reasonCode === null) return 'color-mix(in oklab, var(--neutral), var(--surface) 50%)'
  const code = Number(reasonCode) || 0
  const colors = [0.4, 0.52].map(darkest => `oklch(${darkest + 0.09 * (code % 5)} 0.11 ${(code * 45) % 360})`)
  return `light-dark(${colors})`
}

/** To the verifications with a filter, whose days are UTC days, by default of the completion. */
export function ListLink({ filter, children }: { filter: Partial<Filters>; children: ReactNode }) {
  return <TenantLink to={`/verifications?${listQuery(filter)}`}>{children}</TenantLink>
}

export function listQuery(filter: Partial<Filters>): URLSearchParams {
  const days = filter.from ? ({ by: 'completed', zone: 'utc' } as const) : {}
  return filterQuery({ ...days, ...filter })
}

/** Of the line of the approval rate. */
export const rateColor = 'var(--text)'

/** The colour of a series beside its label. Keeps its colour where the user's colours are forced. */
export function Swatch({ color, isLine = false }: { color: string; isLine?: boolean }) {
  return <span className={classes.swatch} data-line={isLine} style={{ background: color }} />
}
