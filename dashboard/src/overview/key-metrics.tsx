import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { formatDays, formatUtcDay } from '../components/dates.ts'
import { addDays, type Days, daysBefore } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { useSummary } from './losses-section.tsx'
import { MetricValue } from './metric-cards.tsx'
import { type Metric, metricNames, metrics } from './metrics.ts'
import classes from './overview.module.css'
import type { useTimeRange } from './time-range.tsx'

type Change = Outputs['usage']['change']

/**
 * The numbers of a time range that begins before today, beside those of the period before: as many days as are over, without
 * today, which is not.
 */
export function KeyMetrics({ days, period, today }: ReturnType<typeof useTimeRange>) {
  const isOver = days.to < today
  const current = { from: days.from, to: isOver ? days.to : addDays(today, -1) }
  const previous = daysBefore(current, period)
  const { usage } = useTrpc()
  const change = useQuery(usage.change.queryOptions({ current, previous }, { placeholderData: keepPreviousData }))
  const query = useSummary(days)
  const isBusy = query.isPlaceholderData || change.isPlaceholderData
  return (
    <Stack component="section" aria-label="Key metrics" gap="xs">
      <Text c="dimmed">{describe(previous, change)}</Text>
      <QueryState query={query} loading={<Skeleton h={{ base: 279, xs: 199, sm: 102, lg: 85 }} />}>
        {({ current: usage }) => (
          <SimpleGrid minColWidth="7.5rem" autoFlow="auto-fit" spacing="sm" aria-busy={isBusy} className={classes.data}>
            {metricNames.map(name => {
              const { label, of, basis, format } = metrics[name]
              const value = of(usage)
              const compared = change.data && isWhole(change.data) && !isBusy ? change.data : undefined
              const now = compared ? of(compared.current) : value
              const difference = compared && compare(metrics[name], now, of(compared.previous))
              const below = difference && !isOver ? `${format(now!)} without today: ${difference}` : difference
              const shown = value === null ? '–' : format(value)
              return <MetricValue key={name} label={label} value={shown} basis={below ?? basis(usage)} />
            })}
          </SimpleGrid>
        )}
      </QueryState>
    </Stack>
  )
}

/** Which days are compared with, and what of them is missing. */
function describe(previous: Days, { data: change, isError }: UseQueryResult<Change, unknown>): string {
  const days = formatDays(previous)
  if (isError) return `The comparison with ${days} could not be loaded.`
  if (!change || isWhole(change)) return `Compared with ${days}.`
  return change.previous.started + change.previous.ended === 0
    ? `There is no usage from ${days} to compare with.`
    : `Not compared with ${days}: there is no usage before ${formatUtcDay(change.firstDay!)}.`
}

/** "+4.0% from 480", or in points from another rate; undefined where there is nothing to compare. */
function compare({ isRate, format }: Metric, now: number | null, before: number | null): string | undefined {
  if (now === null || before === null || (!isRate && before === 0)) return undefined
  // Of the rates as they are shown.
  const difference = isRate ? percentOf(now) - percentOf(before) : (100 * (now - before)) / before
  const size = Math.abs(difference).toFixed(1)
  if (size === '0.0') return `Same as ${format(before)}`
  return `${difference > 0 ? '+' : '−'}${size}${isRate ? ' points' : '%'} from ${format(before)}`
}

const percentOf = (rate: number) => Number((100 * rate).toFixed(1))

/** Whether the tenant was used already when the period before began: less than it could be says nothing. */
function isWhole({ previous, firstDay }: Change): boolean {
  return firstDay !== null && firstDay <= previous.from
}
