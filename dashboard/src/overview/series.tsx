import { Progress } from '@mantine/core'
import { useTenantPath } from '../session/session-context.ts'
import { type Filters, filterQuery } from '../verifications/filters.ts'
import classes from './overview.module.css'

type AgeCount = 'over18' | 'under18' | 'ageUnknown'

/** A count of each day: a segment of its bar. */
export interface Series {
  count: 'approved' | 'denied' | 'rejected' | 'resubmission' | 'submitted' | AgeCount
  label: string
  /** Defined in server/pages/html/tokens.css. */
  color: string
  /** The verifications that it counts. */
  filter: Partial<Filters>
}

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
export const ageSeries: readonly Series[] = [
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

/** The path of the verifications with a filter, whose days are UTC days, by default of their completion. */
export function useListPath(): (filter: Partial<Filters>) => string {
  const tenantPath = useTenantPath()
  return filter => {
    const days = filter.from ? ({ by: 'completed', zone: 'utc' } as const) : {}
    return `${tenantPath('/verifications')}?${filterQuery({ ...days, ...filter })}`
  }
}

/** Of the line of the approval rate. */
export const rateColor = 'var(--text)'

/** The colour of a series beside its label. Keeps its colour where the user's colours are forced. */
export function Swatch({ color, isLine = false }: { color: string; isLine?: boolean }) {
  return <span className={classes.swatch} data-line={isLine} style={{ background: color }} />
}

interface Part {
  name: string
  /** Of the whole, 0 to 1. */
  share: number
  color: string
}

/** A horizontal bar. Hidden from screen readers, because it repeats what the text beside it says. */
export function Meter({ parts }: { parts: readonly Part[] }) {
  return (
    <Progress.Root size="lg" radius="xl" aria-hidden>
      {parts
        .filter(({ share }) => share > 0)
        .map(({ name, share, color }) => (
          <Progress.Section key={name} value={share * 100} color={color} withAria={false} />
        ))}
    </Progress.Root>
  )
}
