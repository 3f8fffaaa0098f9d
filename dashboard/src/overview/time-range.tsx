import { Group, NativeSelect, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatDays, isDay, toUtcDay } from '../components/dates.ts'
import { DebouncedInput } from '../components/debounced-input.tsx'
import { countDays, type Days, type PeriodName, periodDays, periodNames, periodOptions } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'

/** What the procedures of `usage` accept at once. */
const daysMax = 366

/** The UTC days in the page's URL: `?range=` a period, or `?from=` and `?to=`. */
export function useTimeRange() {
  const [params, setParams] = useSearchParams()
  const today = toUtcDay(new Date(serviceTime()))
  const range = readRange(params, today)
  const latest = () => readRange(new URLSearchParams(window.location.search), today)
  const problem = range.period ? undefined : findProblem(range.days, today)
  const [shown, setShown] = useState<Days>()
  if (!problem && (shown?.from !== range.days.from || shown.to !== range.days.to)) setShown(range.days)
  return {
    today,
    ...range,
    /** Why the range can't be shown; undefined if it can. */
    problem,
    /** The range, or the latest one that can be shown; undefined if there was none. */
    shown: problem ? shown : range.days,
    /** A period by its name, or days: the URL has the other one, also if it is not drawn yet. */
    show: (other: { range: string } | Partial<Days>) =>
      setParams('range' in other ? other : { ...latest().days, ...other }, { replace: true, preventScrollReset: true }),
  }
}

/** Custom days have no period. */
function readRange(params: URLSearchParams, today: string): { period?: PeriodName; days: Days } {
  const { range, from, to } = Object.fromEntries(params)
  if (from !== undefined || to !== undefined) return { days: { from: from ?? '', to: to ?? '' } }
  const period = periodNames.find(name => name === range) ?? '30d'
  return { period, days: periodDays(period, today) }
}

/** Chooses the days of all that follows on the page. */
export function RangePicker({ today, period, days, problem, shown, show }: ReturnType<typeof useTimeRange>) {
  return (
    <Group align="flex-start" gap="0.5rem" mt="xs">
      <Title order={2} flex={1} lh="2.25rem">
        {shown ? formatDays(shown) : 'Chosen days'}
      </Title>
      <NativeSelect
        aria-label="Time range (UTC)"
        value={period ?? 'custom'}
        data={[...periodOptions, { value: 'custom', label: 'Custom' }]}
        onChange={({ currentTarget: { value } }) => show(value === 'custom' ? {} : { range: value })}
      />
      {period === undefined && (
        <Group align="flex-start" gap="0.5rem" wrap="nowrap" w={{ base: '100%', xs: '19rem' }}>
          {(['from', 'to'] as const).map(end => (
            <DebouncedInput
              key={end}
              type="date"
              aria-label={end === 'from' ? 'First day' : 'Last day'}
              flex={1}
              required
              min="1000-01-01"
              max={today}
              error={problem !== undefined}
              value={isDay(days[end]) ? days[end] : ''}
              onSettle={day => show({ [end]: day })}
            />
          ))}
        </Group>
      )}
      {problem && (
        <Text role="alert" w="100%" c="var(--denied-text)">
          {problem}
        </Text>
      )}
    </Group>
  )
}

function findProblem({ from, to }: Days, today: string): string | undefined {
  const unknown = [from, to].find(day => day && !isDay(day))
  if (unknown) return `The calendar has no ${unknown.slice(0, 10)}. Choose another day.`
  if (!from || !to) return 'Choose the first and the last day.'
  if (from > to) return 'The first day must not be after the last day.'
  if (from > today) return 'The first day must not be in the future.'
  if (countDays({ from, to }) > daysMax) return `Choose at most ${daysMax} days.`
  return undefined
}
