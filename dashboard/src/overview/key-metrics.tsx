import { SimpleGrid, Skeleton } from '@mantine/core'
import { keepPreviousData, skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { formatDays, formatUtcDay } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { addDays, type Days, daysBefore } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { useSummary } from './losses-section.tsx'
import { MetricValue } from './metric-cards.tsx'
import { type MetricName, metricNames, metrics } from './metrics.ts'
import classes from './overview.module.css'
import type { useTimeRange } from './time-range.tsx'

type Change = Outputs['usage']['change']
type Usage = Change['current']

/** The numbers of a time range, beside those of the period before: as many days as are over. */
export function KeyMetrics({ days, period, today }: ReturnType<typeof useTimeRange>) {
  const isOver = days.to < today
  const current = { from: days.from, to: isOver ? days.to : addDays(today, -1) }
  const compared = days.from < today ? { current, previous: daysBefore(current, period) } : undefined
  const { usage } = useTrpc()
  const change = useQuery(usage.change.queryOptions(compared ?? skipToken, { placeholderData: keepPreviousData }))
  const query = useSummary(days)
  const isBusy = query.isPlaceholderData || change.isPlaceholderData
  return (
    <Section title="Key metrics" description={compared ? describe(compared.previous, change) : 'Today so far.'}>
      <QueryState query={query} loading={<Skeleton h={{ base: 218, xs: 68 }} />}>
        {({ current: usage }) => (
          <SimpleGrid minColWidth="7.5rem" autoFlow="auto-fit" spacing="sm" aria-busy={isBusy} className={classes.data}>
            {metricNames.map(name => {
              const { label, of, basis, format } = metrics[name]
              const value = of(usage)
              const below = (compared && change.data && compare(name, usage, change.data, isOver)) ?? basis(usage)
              return <MetricValue key={name} label={label} value={value === null ? '–' : format(value)} basis={below} />
            })}
          </SimpleGrid>
        )}
      </QueryState>
    </Section>
  )
}

/** Which days are compared with, and what of them is missing. */
function describe(previous: Days, { data: change, isError }: UseQueryResult<Change, unknown>): string {
  const days = formatDays(previous)
  if (isError) return `The comparison with ${days} could not be loaded.`
  if (!change || isWhole(change)) return `Compared with ${days}.`
  return change.previous.started + change.previous.ended === 0
    ? `There is no usage from ${days} to compare with.`
    : `Compared with ${days}. There is no usage before ${formatUtcDay(change.firstDay!)}: starts are not compared.`
}

/**
 * "+4.2% from 480", or in points from another rate; undefined where there is nothing to compare. Today, which is not over, has
 * all of a day's rates and a part of its starts: they are compared without it.
 */
function compare(name: MetricName, usage: Usage, change: Change, isOver: boolean): string | undefined {
  const { of, isRate, format } = metrics[name]
  const isStarts = name === 'starts'
  const [now, before] = [of(isStarts ? change.current : usage), of(change.previous)]
  if (now === null || before === null || (isStarts && !isWhole(change)) || (!isRate && before === 0)) return undefined
  // Of the rates as they are shown.
  const difference = isRate ? percentOf(now) - percentOf(before) : (100 * (now - before)) / before
  const size = formatNumber(Math.abs(Number(difference.toFixed(1))))
  const beside = isStarts && !isOver ? 'without today' : `from ${format(before)}`
  if (size === '0') return `Same ${beside}`
  return `${difference > 0 ? '+' : '−'}${size}${isRate ? ' points' : '%'} ${beside}`
}

const percentOf = (rate: number) => Number((100 * rate).toFixed(1))

/** Whether the tenant was used already when the period before began: less than it could be says nothing. */
function isWhole({ previous, firstDay }: Change): boolean {
  return firstDay !== null && firstDay <= previous.from
}
