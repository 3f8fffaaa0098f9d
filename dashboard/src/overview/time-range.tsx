import { Group, NativeSelect, TextInput, Title } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { formatDays, parseDay, toUtcDay } from '../components/dates.ts'
import { countDays, type Days, type PeriodName, periodDays, periodLabel, periodNames } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'

/** What the procedures of `usage` accept at once. */
const daysMax = 366

/** The UTC days in the page's URL: `?range=` a period, or `?from=` and `?to=`. */
export function useTimeRange() {
  const [params, setParams] = useSearchParams()
  const today = toUtcDay(new Date(serviceTime()))
  const range = readRange(params, today)
  const latest = () => readRange(new URLSearchParams(window.location.search), today)
  return {
    today,
    ...range,
    /** Why the range can't be shown; undefined if it can. */
    problem: range.period ? undefined : findProblem(range.days, today),
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
export function RangePicker({ today, period, days, problem, show }: ReturnType<typeof useTimeRange>) {
  return (
    <Group align="flex-end" gap="0.5rem" mt="xs">
      <Title order={2} flex={1}>
        {problem ? 'Chosen days' : formatDays(days)}
      </Title>
      <NativeSelect
        aria-label="Time range (UTC)"
        value={period ?? 'custom'}
        data={[
          ...periodNames.map(name => ({ value: name, label: periodLabel(name) })),
          { value: 'custom', label: 'Custom' },
        ]}
        onChange={({ currentTarget: { value } }) => show(value === 'custom' ? {} : { range: value })}
      />
      {period === undefined && (
        <Group gap="0.5rem" wrap="nowrap" w={{ base: '100%', xs: 'auto' }}>
          {(['from', 'to'] as const).map(end => (
            <TextInput
              key={end}
              type="date"
              aria-label={end === 'from' ? 'First day' : 'Last day'}
              flex={1}
              max={today}
              error={problem !== undefined}
              value={days[end]}
              onChange={event => show({ [end]: event.currentTarget.value })}
            />
          ))}
        </Group>
      )}
    </Group>
  )
}

function findProblem({ from, to }: Days, today: string): string | undefined {
  if (!parseDay(from) || !parseDay(to)) return 'Choose the first and the last day.'
  if (from > to) return 'The first day must not be after the last day.'
  if (from > today) return 'The first day must not be in the future.'
  if (countDays({ from, to }) > daysMax) return `Choose at most ${daysMax} days.`
  return undefined
}
