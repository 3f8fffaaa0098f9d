import { Group, NativeSelect, TextInput, Title } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { formatDays, parseDay, toUtcDay } from '../components/dates.ts'
import { countDays, type Days, type PeriodName, periodDays, periodLabel, periodNames } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'

const defaultPeriod: PeriodName = '30d'

/** What the procedures of `usage` accept at once. */
const daysMax = 366

/** The UTC days in the page's URL: `?range=` a period, or `?from=` and `?to=`. */
export function useTimeRange() {
  const [params, setParams] = useSearchParams()
  const today = toUtcDay(new Date(serviceTime()))
  const custom = { from: params.get('from') ?? '', to: params.get('to') ?? '' }
  const isCustom = params.has('from') || params.has('to')
  const period = isCustom ? undefined : (periodNames.find(name => name === params.get('range')) ?? defaultPeriod)
  return {
    today,
    /** Undefined for a custom range. */
    period,
    days: period ? periodDays(period, today) : custom,
    /** Why the range can't be shown; undefined if it can. */
    problem: period ? undefined : findProblem(custom, today),
    /** A period by its name, or any days. */
    show: (range: { range: string } | Days) => setParams({ ...range }, { replace: true, preventScrollReset: true }),
  }
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
        onChange={({ currentTarget: { value } }) => show(value === 'custom' ? days : { range: value })}
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
              onChange={event => show({ ...days, [end]: event.currentTarget.value })}
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
