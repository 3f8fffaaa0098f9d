import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toDay } from '../components/dates.ts'
import { periodDays, periodNames, periodOptions } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'
import { TimeFields } from '../components/time-fields.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { canHaveReason, type Filters, type TimeOf, timeNames } from './filters.ts'
import { statuses, statusNames } from './status.ts'
import type { useFilters } from './use-filters.ts'
import { viewLinks } from './views.ts'

type Props = { filtering: ReturnType<typeof useFilters> }

/** A reason that the provider documents; a link can name any other, too. Not offered where none can match. */
export function ReasonFilter({ filtering: { filters, change } }: Props) {
  const { reasonCode } = filters
  const { data } = useQuery(useTrpc().verifications.reasons.queryOptions(undefined, { staleTime: Infinity }))
  const known = data?.items ?? []
  const isKnown = !reasonCode || known.some(reason => reason.reasonCode === reasonCode)
  if (!reasonCode && !canHaveReason(filters)) return null
  return (
    <NativeSelect
      aria-label="Reason"
      flex="2.5 1 8.5rem"
      value={reasonCode ?? ''}
      data={[
        { value: '', label: 'Any reason' },
        ...(isKnown ? [] : [{ value: reasonCode, label: `Reason ${reasonCode}` }]),
        ...known.map(({ reasonCode: value, description }) => ({ value, label: `${description} (${value})` })),
      ]}
      onChange={event => change({ reasonCode: event.currentTarget.value || undefined })}
    />
  )
}

/** What the column of outcomes says, by the filters that select it. */
const outcomes: { label: string; selected: Outcome }[] = [
  { label: 'Any outcome', selected: { statuses: [], over18: undefined } },
  { label: 'Approved · 18+', selected: { statuses: [], over18: 'yes' } },
  { label: 'Under 18', selected: { statuses: [], over18: 'no' } },
  { label: 'Age unknown', selected: { statuses: ['approved'], over18: 'unknown' } },
  { label: 'Revoked', selected: { statuses: [], over18: 'revoked' } },
  ...statusNames.map(status => ({
    label: status === 'approved' ? 'Approved, any age' : statuses[status].label,
    selected: { statuses: [status], over18: undefined },
  })),
]

type Outcome = Pick<Filters, 'statuses' | 'over18'>

/** One of the outcomes; a link can name several statuses, too. */
export function OutcomeFilter({ filtering: { filters, change } }: Props) {
  const { state, over18 } = filters
  const isSame = ({ selected }: (typeof outcomes)[number]) =>
    selected.over18 === over18 && String(selected.statuses) === String(filters.statuses)
  const chosen = state === undefined ? outcomes.find(isSame) : undefined
  const several = filters.statuses.map(status => statuses[status].label).join(', ')
  const other = viewLinks(filters).find(({ isCurrent }) => isCurrent)?.label ?? (several || 'Age unknown or none')
  return (
    <NativeSelect
      aria-label="Outcome"
      flex="0.5 1 8.5rem"
      value={chosen?.label ?? other}
      data={[...outcomes.map(({ label }) => label), ...(chosen ? [] : [other])]}
      onChange={({ currentTarget: { value } }) =>
        change({ state: undefined, ...outcomes.find(({ label }) => label === value)?.selected })
      }
    />
  )
}

/** When verifications were created or completed: a period, or from one time to another. */
export function TimeFilter({ filtering: { filters, change }, isInvalid }: Props & { isInvalid: boolean }) {
  const { period, from, to, by, zone } = filters
  const shown = period ?? (from !== undefined || to !== undefined ? 'range' : undefined)
  const select = (value: string) => {
    const [selectedBy, selected] = value.split(' ') as [TimeOf, string | undefined]
    // From the days that were chosen before.
    const days = selected === 'range' && periodDays(period ?? 'today', toDay(new Date(serviceTime()), zone))
    change({
      by: selected ? selectedBy : 'created',
      period: periodNames.find(name => name === selected),
      ...(days || { from: undefined, to: undefined }),
    })
  }
  const type = (changes: Partial<Filters>) => change(changes, { replace: true })
  return (
    <>
      <NativeSelect
        aria-label="Time"
        flex="2 1 10rem"
        value={shown ? `${by} ${shown}` : ''}
        data={[{ value: '', label: 'Any time' }, ...timeGroups]}
        onChange={event => select(event.currentTarget.value)}
      />
      {shown === 'range' && <TimeFields from={from} to={to} error={isInvalid} onChange={type} />}
    </>
  )
}

const choices = [...periodOptions, { value: 'range', label: 'Between …' }]

/** "Last 7 days", "Completed in the last 7 days". */
const timeGroups = (['created', 'completed'] as const).map(by => ({
  group: timeNames[by],
  items: choices.map(({ value, label }) => ({
    value: `${by} ${value}`,
    label: by === 'created' ? label : `Completed ${label.toLowerCase().replace(/^last \d/, 'in the $&')}`,
  })),
}))
