import { NativeSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTrpc } from '../trpc/trpc.ts'
import classes from './filter-bar.module.css'
import type { Period, TimeOf } from './filters.ts'
import type { useFilters } from './use-filters.ts'

interface ReasonProps {
  reasonCode: string | undefined
  onChange: (reasonCode: string | undefined) => void
}

/** A reason that the provider documents, found by its words or its code; a link can name any other, too. */
export function ReasonFilter({ reasonCode, onChange }: ReasonProps) {
  const { data } = useQuery(useTrpc().verifications.reasons.queryOptions(undefined, { staleTime: Infinity }))
  const known = data?.items ?? []
  const isKnown = known.some(reason => reason.reasonCode === reasonCode)
  return (
    <Select
      label="Reason"
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any reason' }}
      nothingFoundMessage="No such reason"
      withScrollArea={false}
      styles={{ options: { maxHeight: '16rem', overflowY: 'auto' } }}
      comboboxProps={{ withinPortal: false, keepMounted: false, width: 340, position: 'bottom-start' }}
      data={[
        ...(reasonCode && !isKnown ? [{ value: reasonCode, label: `Reason ${reasonCode}` }] : []),
        ...known.map(reason => ({
          value: reason.reasonCode,
          label: `${reason.description} (${reason.reasonCode})`,
        })),
      ]}
      value={reasonCode ?? null}
      onChange={value => onChange(value ?? undefined)}
    />
  )
}

interface DayProps {
  filtering: ReturnType<typeof useFilters>
  isInvalid: boolean
}

/** When verifications were created or completed: a period until now, or chosen days of a time zone. */
export function DayFilter({ filtering: { filters, change }, isInvalid }: DayProps) {
  const { period, from, to, by, zone } = filters
  const [isChoosing, setChoosing] = useState(false)
  // Links from the statistics have UTC days.
  const ofZone = zone === 'utc' ? ' (UTC)' : ''
  const hasDays = isChoosing || from !== undefined || to !== undefined
  const select = (selected: Period | 'days' | undefined) => {
    setChoosing(selected === 'days')
    change({
      period: selected === 'days' ? undefined : selected,
      from: undefined,
      to: undefined,
      by: 'created',
      zone: 'local',
    })
  }
  return (
    <>
      <FilterSelect
        label={timeNames[by]}
        any="Any time"
        value={hasDays ? 'days' : period}
        options={periodLabels}
        onChange={select}
      />
      {hasDays && (
        <div className={classes.days}>
          <TextInput
            type="date"
            label={`First day${ofZone}`}
            value={from ?? ''}
            error={isInvalid}
            onChange={event => change({ from: event.currentTarget.value || undefined }, { replace: true })}
          />
          <TextInput
            type="date"
            label={`Last day${ofZone}`}
            value={to ?? ''}
            error={isInvalid}
            onChange={event => change({ to: event.currentTarget.value || undefined }, { replace: true })}
          />
          <NativeSelect
            label="Days of"
            value={by}
            data={Object.entries(timeNames).map(([value, label]) => ({ value, label }))}
            onChange={event => change({ by: event.currentTarget.value as TimeOf }, { replace: true })}
          />
        </div>
      )}
    </>
  )
}

const timeNames: Record<TimeOf, string> = { created: 'Created', completed: 'Completed' }

const periodLabels: Record<Period | 'days', string> = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month',
  days: 'Choose days',
}

interface Props<Value extends string> {
  label: string
  /** The label of undefined. */
  any: string
  value: Value | undefined
  /** Labels. */
  options: Record<Value, string>
  onChange: (value: Value | undefined) => void
}

/** One of several values, or any. */
export function FilterSelect<Value extends string>({ label, any, value, options, onChange }: Props<Value>) {
  const values = Object.keys(options) as Value[]
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: any }, ...values.map(option => ({ value: option, label: options[option] }))]}
      onChange={event => onChange(values.find(option => option === event.currentTarget.value))}
    />
  )
}
