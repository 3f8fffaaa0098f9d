import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toMinute } from '../components/dates.ts'
import { type PeriodName, periodLabel, periodNames } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'
import { MinuteField, TimeFields } from '../components/time-fields.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { type Filters, type TimeOf, timeNames } from './filters.ts'
import { statuses, statusNames } from './status.ts'
import type { useFilters } from './use-filters.ts'
import { viewName } from './views.ts'

const fieldFlex = '1 1 8.5rem'

type Filtering = ReturnType<typeof useFilters>

/** A reason that the provider documents; a link can name any other, too. */
export function ReasonFilter({ filtering: { filters, change } }: { filtering: Filtering }) {
  const { reasonCode } = filters
  const { data } = useQuery(useTrpc().verifications.reasons.queryOptions(undefined, { staleTime: Infinity }))
  const known = data?.items ?? []
  const isKnown = !reasonCode || known.some(reason => reason.reasonCode === reasonCode)
  return (
    <NativeSelect
      label="Reason"
      flex={fieldFlex}
      value={reasonCode ?? ''}
      data={[
        { value: '', label: 'Any' },
        ...(isKnown ? [] : [{ value: reasonCode, label: `Reason ${reasonCode}` }]),
        ...known.map(({ reasonCode: value, description }) => ({ value, label: `${description} (${value})` })),
      ]}
      onChange={event => change({ reasonCode: event.currentTarget.value || undefined })}
    />
  )
}

/** What the column of outcomes says, by the filters that select it. */
const outcomes: { label: string; selected: Outcome }[] = [
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
export function OutcomeFilter({ filtering: { filters, change } }: { filtering: Filtering }) {
  const isSame = ({ statuses, over18 }: Outcome) =>
    over18 === filters.over18 && String(statuses) === String(filters.statuses)
  const view = viewName(filters)
  const isAny = view === 'All'
  const chosen = outcomes.find(({ selected }) => isSame(selected))
  const several = filters.statuses.map(status => statuses[status].label).join(', ')
  const other = view ?? (several || 'Age unknown or none')
  return (
    <NativeSelect
      label="Outcome"
      flex={fieldFlex}
      value={isAny ? '' : (chosen?.label ?? other)}
      data={[{ value: '', label: 'Any' }, ...outcomes.map(({ label }) => label), ...(isAny || chosen ? [] : [other])]}
      onChange={({ currentTarget: { value } }) => {
        const selected = outcomes.find(({ label }) => label === value)?.selected
        change({ statuses: [], over18: undefined, state: undefined, ...selected })
      }}
    />
  )
}

interface TimeProps {
  filtering: Filtering
  isInvalid: boolean
}

type Choice = PeriodName | 'at' | 'range'

/** When verifications were created or completed: a period, around a minute, or from one to another. */
export function TimeFilter({ filtering: { filters, change }, isInvalid }: TimeProps) {
  const { period, at, from, to, by, zone } = filters
  // Stays while a field is empty, because a part of it is being typed.
  const [chosen, setChosen] = useState<Choice>()
  const isRange = from !== undefined || to !== undefined
  const shown = period ?? (at ? 'at' : isRange ? 'range' : chosen)
  const select = (value: string) => {
    const [selectedBy, selected] = value.split(' ') as [TimeOf, Choice | undefined]
    setChosen(selected)
    const now = toMinute(new Date(serviceTime()), zone)
    const today = now.slice(0, 10)
    change({
      by: selected ? selectedBy : 'created',
      period: periodNames.find(name => name === selected),
      at: selected === 'at' ? now : undefined,
      from: selected === 'range' ? today : undefined,
      to: selected === 'range' ? today : undefined,
    })
  }
  const type = (changes: Partial<Filters>) => {
    setChosen(shown)
    change(changes, { replace: true })
  }
  return (
    <>
      <NativeSelect
        label="Time"
        flex="1.5 1 10rem"
        value={shown ? `${by} ${shown}` : ''}
        data={[{ value: '', label: 'Any time' }, ...timeOptions]}
        onChange={event => select(event.currentTarget.value)}
      />
      {shown === 'at' && <MinuteField label="Within 10 minutes of" value={at} onChange={at => type({ at })} />}
      {shown === 'range' && <TimeFields from={from} to={to} error={isInvalid} onChange={type} />}
    </>
  )
}

/** "Created today", "Completed last month" and so on. */
const timeOptions = (['created', 'completed'] as const).flatMap(by =>
  [
    ...periodNames.map(name => ({ value: name, label: inSentence(periodLabel(name)) })),
    { value: 'at', label: 'around …' },
    { value: 'range', label: 'between …' },
  ].map(({ value, label }) => ({ value: `${by} ${value}`, label: `${timeNames[by]} ${label}` })),
)

/** "today", "in the last 7 days". */
function inSentence(label: string): string {
  return label.toLowerCase().replace(/^last \d/, 'in the $&')
}
