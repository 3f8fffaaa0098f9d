import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatDays, formatUtcDay } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { addDays, type Days, daysBefore, type PeriodName } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { MetricValue } from './metric-cards.tsx'
import { type MetricName, metricNames, metrics } from './metrics.ts'
import classes from './overview.module.css'

type Change = Outputs['usage']['change']

interface Props {
  days: Days
  period: PeriodName | undefined
  /** UTC. */
  today: string
}

/** The numbers of the whole days of a time range, each beside that of the period before. */
export function PeriodChange({ days, period, today }: Props) {
  const current = { from: days.from, to: days.to < today ? days.to : addDays(today, -1) }
  if (current.from > current.to) {
    return <Text c="dimmed">Today is not over: above, it is beside what is normal for its weekday.</Text>
  }
  const previous = daysBefore(current, period)
  return (
    <Section
      title={`Compared with ${formatDays(previous)}`}
      description={days.to < today ? undefined : `${formatDays(current)}, without today.`}
    >
      <Numbers current={current} previous={previous} />
    </Section>
  )
}

function Numbers(days: { current: Days; previous: Days }) {
  const query = useQuery(useTrpc().usage.change.queryOptions(days, { placeholderData: keepPreviousData }))
  return (
    <QueryState query={query} loading={<Skeleton h={{ base: 250, xs: 104 }} />}>
      {change => (
        <Stack gap="sm" aria-busy={query.isPlaceholderData} className={classes.data}>
          <SimpleGrid minColWidth="7.5rem" autoFlow="auto-fit" spacing="sm">
            {metricNames.map(name => (
              <MetricChange key={name} name={name} change={change} />
            ))}
          </SimpleGrid>
          <Caveat {...change} />
        </Stack>
      )}
    </QueryState>
  )
}

function MetricChange({ name, change }: { name: MetricName; change: Change }) {
  const { label, of, basis, format } = metrics[name]
  const value = of(change.current)
  const below = compare(name, change) ?? basis(change.current)
  return <MetricValue label={label} value={value === null ? '–' : format(value)} basis={below} />
}

/** "+4.2% from 480", or in points from another rate; undefined where there is nothing to compare. */
function compare(name: MetricName, { current, previous, firstDay }: Change): string | undefined {
  const { of, isRate, format } = metrics[name]
  const [now, before] = [of(current), of(previous)]
  const isKnown = name !== 'starts' || isWhole(previous, firstDay)
  if (now === null || before === null || !isKnown || (!isRate && before === 0)) return undefined
  // Of the rates as they are shown.
  const difference = isRate ? percentOf(now) - percentOf(before) : (100 * (now - before)) / before
  const size = formatNumber(Math.abs(Number(difference.toFixed(1))))
  if (size === '0') return `Same, ${format(before)}`
  return `${difference > 0 ? '+' : '−'}${size}${isRate ? ' points' : '%'} from ${format(before)}`
}

const percentOf = (rate: number) => Number((100 * rate).toFixed(1))

/** Whether the tenant was used already when the period began: less than it could be says nothing. */
function isWhole({ from }: Days, firstDay: string | null): boolean {
  return firstDay !== null && firstDay <= from
}

/** What of the period before is missing. */
function Caveat({ previous, firstDay }: Change) {
  if (isWhole(previous, firstDay)) return null
  return (
    <Text c="dimmed">
      {previous.started + previous.ended === 0
        ? 'There is no usage in the period before.'
        : `There is no usage before ${formatUtcDay(firstDay!)}: starts are not compared.`}
    </Text>
  )
}
