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
            {metrics.map(({ label, of }) => (
              <Metric key={label} label={label} {...of(change)} />
            ))}
          </dl>
          <Caveat {...change} />
        </Stack>
      )}
    </QueryState>
  )
}

interface Value {
  value: string
  /** How it differs from that of the period before, and what that was; undefined where there is nothing to compare. */
  change?: string | undefined
}

function Metric({ label, value, change }: Value & { label: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
      <dd>{change ?? 'Nothing to compare'}</dd>
    </div>
  )
}

const metrics: { label: string; of: (change: Change) => Value }[] = [
  {
    label: 'Started',
    of: ({ current, previous, firstDay }) => ({
      value: formatNumber(current.started),
      change: isWhole(previous, firstDay)
        ? describeAmount(current.started, previous.started, formatNumber)
        : undefined,
    }),
  },
  { label: 'Approval rate', of: change => ofRate(change, 'approved', 'decided') },
  { label: '18+ rate', of: change => ofRate(change, 'over18', 'approved') },
  { label: 'Completion rate', of: change => ofRate(change, 'decided', 'ended') },
  {
    label: 'Median time',
    of: ({ current: { medianSeconds: now }, previous: { medianSeconds: before } }) => ({
      value: now === null ? '–' : formatDuration(now),
      change: now === null || before === null ? undefined : describeAmount(now, before, formatDuration),
    }),
  },
]

type Count = 'approved' | 'decided' | 'ended' | 'over18'

function ofRate({ current, previous }: Change, part: Count, whole: Count): Value {
  if (current[whole] === 0) return { value: '–' }
  const value = formatShare(current[part], current[whole])
  if (previous[whole] === 0) return { value }
  const points = 100 * (current[part] / current[whole] - previous[part] / previous[whole])
  return {
    value,
    change: `${describeSign(points, Math.abs(points).toFixed(1), ' points')} from ${formatShare(previous[part], previous[whole])}`,
  }
}

function describeAmount(now: number, before: number, format: (amount: number) => string): string | undefined {
  if (before === 0) return undefined
  const percent = (100 * (now - before)) / before
  return `${describeSign(percent, formatNumber(Math.abs(Number(percent.toFixed(1)))), '%')} from ${format(before)}`
}

function describeSign(difference: number, size: string, unit: string): string {
  if (Number(size) === 0) return 'Same,'
  return `${difference > 0 ? '+' : '−'}${size}${unit}`
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
