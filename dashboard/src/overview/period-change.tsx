import { Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatDays, formatUtcDay } from '../components/dates.ts'
import { formatDuration, formatNumber, formatShare } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { addDays, type Days, daysBefore, type PeriodName } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import classes from './overview.module.css'

type Change = Outputs['usage']['change']
type Usage = Change['current']

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
    return (
      <Text size="sm" c="dimmed">
        Today is not over: above, it is beside what is normal for its weekday.
      </Text>
    )
  }
  const previous = daysBefore(current, period)
  return (
    <Section
      title={`Compared with ${formatDays(previous)}`}
      description={`${formatDays(current)}${days.to < today ? '' : ', without today'}.`}
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
          <dl className={classes.numbers}>
            {describe(change).map(([label, value, difference]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
                <dd>{difference ?? 'Nothing to compare'}</dd>
              </div>
            ))}
          </dl>
          <Caveat {...change} />
        </Stack>
      )}
    </QueryState>
  )
}

/** The difference to the period before, and what that had, are undefined where there is nothing to compare. */
type Metric = [label: string, value: string, difference?: string | undefined]

function describe(change: Change): Metric[] {
  const { current, previous, firstDay } = change
  const [now, before] = [current.medianSeconds, previous.medianSeconds]
  const starts = isWhole(previous, firstDay) ? previous.started : null
  return [
    ['Started', formatNumber(current.started), compareAmounts(current.started, starts, formatNumber)],
    describeRate('Approval rate', change, 'approved', 'decided'),
    describeRate('18+ rate', change, 'over18', 'approved'),
    describeRate('Completion rate', change, 'decided', 'ended'),
    ['Median time', now === null ? '–' : formatDuration(now), compareAmounts(now, before, formatDuration)],
  ]
}

type Count = 'approved' | 'decided' | 'ended' | 'over18'

function describeRate(label: string, { current, previous }: Change, part: Count, whole: Count): Metric {
  if (current[whole] === 0) return [label, '–']
  const value = formatShare(current[part], current[whole])
  if (previous[whole] === 0) return [label, value]
  const points = 100 * (current[part] / current[whole] - previous[part] / previous[whole])
  return [label, value, describeDifference(points, ' points', formatShare(previous[part], previous[whole]))]
}

function compareAmounts(now: number | null, before: number | null, format: (amount: number) => string) {
  if (now === null || !before) return undefined
  return describeDifference((100 * (now - before)) / before, '%', format(before))
}

/** "+4.2% from 480" */
function describeDifference(difference: number, unit: string, before: string): string {
  const size = formatNumber(Math.abs(Number(difference.toFixed(1))))
  return size === '0' ? `Same, ${before}` : `${difference > 0 ? '+' : '−'}${size}${unit} from ${before}`
}

/** Whether the tenant was used already when the period began: less than it could be says nothing. */
function isWhole({ from }: Usage, firstDay: string | null): boolean {
  return firstDay !== null && firstDay <= from
}

/** What of the period before is missing. */
function Caveat({ previous, firstDay }: Change) {
  if (isWhole(previous, firstDay)) return null
  return (
    <Text size="sm" c="dimmed">
      {previous.started + previous.ended === 0
        ? 'There is no usage in the period before.'
        : `There is no usage before ${formatUtcDay(firstDay!)}: starts are not compared.`}
    </Text>
  )
}
