import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FilterSelect } from './filter-select.tsx'
import type { Period, TimeOf, Zone } from './filters.ts'
import type { useFilters } from './use-filters.ts'

interface Props {
  filtering: ReturnType<typeof useFilters>
  isInvalid: boolean
}

/** When verifications were created or completed: a period until now, or chosen days of a time zone. */
export function DayFilter({ filtering: { filters, change }, isInvalid }: Props) {
  const { period, from, to, by, zone } = filters
  const [isChoosing, setChoosing] = useState(false)
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
        <>
          <TextInput
            type="date"
            label="First day"
            value={from ?? ''}
            error={isInvalid}
            onChange={event => change({ from: event.currentTarget.value || undefined }, { replace: true })}
          />
          <TextInput
            type="date"
            label="Last day"
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
          <NativeSelect
            label="Days in"
            value={zone}
            data={[
              { value: 'local', label: localZoneName() },
              { value: 'utc', label: 'UTC' },
            ]}
            onChange={event => change({ zone: event.currentTarget.value as Zone }, { replace: true })}
          />
        </>
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

/** Such as "Europe/Berlin". */
function localZoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
