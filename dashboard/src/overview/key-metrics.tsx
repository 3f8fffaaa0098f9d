import { Card, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { formatDays } from '../components/dates.ts'
import { formatNumber, formatRate } from '../components/format-number.ts'
import { QueryState } from '../components/query-state.tsx'
import classes from './overview.module.css'
import { type Summary, useSummary } from './summary.ts'
import type { useTimeRange } from './time-range.tsx'

type Usage = Summary['current']
type Count = 'approved' | 'decided' | 'ended' | 'over18'

/** A number of a period. What each is, is in docs/dashboard.md. */
interface Metric {
  label: string
  isRate: boolean
  /** Null where there is none. */
  of: (usage: Usage) => number | null
  /** What it is of. */
  basis: (usage: Usage) => string
}

const metrics: Metric[] = [
  { label: 'Started', isRate: false, of: ({ started }) => started, basis: () => 'verifications' },
  rate('Approval rate', 'approved', 'decided'),
  rate('18+ rate', 'over18', 'approved'),
  rate('Completion rate', 'decided', 'ended'),
]

function rate(label: string, part: Count, whole: Count): Metric {
  return {
    label,
    isRate: true,
    of: usage => (usage[whole] === 0 ? null : usage[part] / usage[whole]),
    basis: usage => `${formatNumber(usage[part])} of ${formatNumber(usage[whole])} ${whole}`,
  }
}

/** The numbers of the time range, each with its change from the days before. */
export function KeyMetrics({ days, today }: Pick<ReturnType<typeof useTimeRange>, 'days' | 'today'>) {
  const query = useSummary(days)
  return (
    <Stack component="section" aria-label="Key metrics" gap="xs">
      <QueryState query={query} loading={<Skeleton h={{ base: 271, xs: 133 }} />}>
        {({ current, change }) => (
          <>
            <Text c="dimmed">{describeChange(days.to < today, change)}</Text>
            <SimpleGrid cols={{ base: 2, sm: 4 }} aria-busy={query.isPlaceholderData} className={classes.data}>
              {metrics.map(metric => (
                <MetricValue key={metric.label} metric={metric} usage={current} change={change} />
              ))}
            </SimpleGrid>
          </>
        )}
      </QueryState>
    </Stack>
  )
}

function describeChange(isOver: boolean, change: Summary['change']): string {
  if (change)
    return `Changes from ${formatDays(change.previous)}${isOver ? '.' : ', without today, which is not over.'}`
  return 'Without changes: there are no days before to compare with.'
}

/** A group of its own, so that a screen reader says which label belongs to which number. */
function MetricValue({ metric, usage, change }: { metric: Metric; usage: Usage } & Pick<Summary, 'change'>) {
  const { label, isRate, of, basis } = metric
  const value = of(usage)
  const difference = change && compare(metric, of(change.current), of(change.previous))
  const shown = value === null ? '–' : isRate ? formatRate(value) : formatNumber(value)
  return (
    <Card component="dl" withBorder m={0} bg="var(--surface)">
      <Text component="dt" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz="1.5rem" fw={600} lh={1.3}>
        {shown}{' '}
        <Text span size="sm" fw={400} c="dimmed">
          {difference}
        </Text>
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed">
        {basis(usage)}
      </Text>
    </Card>
  )
}

/** "+4.0%", or of a rate "+4.0 points"; null where there is nothing to compare. */
function compare({ isRate }: Metric, now: number | null, before: number | null): string | null {
  if (now === null || before === null || (!isRate && before === 0)) return null
  const difference = 100 * (isRate ? now - before : (now - before) / before)
  const size = Math.abs(difference).toFixed(1)
  if (size === '0.0') return 'unchanged'
  return `${difference > 0 ? '+' : '−'}${size}${isRate ? '\u00a0points' : '%'}`
}
