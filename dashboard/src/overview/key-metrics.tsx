import { Skeleton, Stack, Text } from '@mantine/core'
import { formatDays } from '../components/dates.ts'
import { formatNumber, formatRate } from '../components/format-number.ts'
import { QueryState } from '../components/query-state.tsx'
import classes from './overview.module.css'
import { type Summary, useSummary } from './summary.ts'
import type { useTimeRange } from './time-range.tsx'

type Usage = Summary['current']
type Count = 'started' | 'approved' | 'decided' | 'ended' | 'over18'

/** A number of a period, or a part of a whole. What each is, is in docs/dashboard.md. */
type Metric = { label: string; count: Count; whole?: Count }

const metrics: Metric[] = [
  { label: 'Started', count: 'started' },
  { label: 'Approval rate', count: 'approved', whole: 'decided' },
  { label: '18+ rate', count: 'over18', whole: 'approved' },
  { label: 'Completion rate', count: 'decided', whole: 'ended' },
]

/** The numbers of the time range, each with its change from the days before. */
export function KeyMetrics({ days, today }: Pick<ReturnType<typeof useTimeRange>, 'days' | 'today'>) {
  const query = useSummary(days)
  return (
    <Stack component="section" aria-label="Key metrics" gap="0.375rem">
      <QueryState query={query} loading={<Skeleton h={{ base: 240, xs: 146 }} />}>
        {({ current, change }) => (
          <>
            <div className={`${classes.metrics} ${classes.data}`} aria-busy={query.isPlaceholderData}>
              {metrics.map(metric => (
                <MetricValue key={metric.label} metric={metric} usage={current} change={change} />
              ))}
            </div>
            <Text size="xs" c="dimmed">
              Started by creation, the others by completion.{' '}
              {change ? `Changes from ${formatDays(change.previous)}` : 'There are no days before to compare with'}
              {change && days.to >= today && ', without today, which is not over'}.
            </Text>
          </>
        )}
      </QueryState>
    </Stack>
  )
}

/** A group of its own, so that a screen reader says which label belongs to which number. */
function MetricValue({ metric, usage, change }: { metric: Metric; usage: Usage } & Pick<Summary, 'change'>) {
  const { label, count, whole } = metric
  const value = readMetric(metric, usage)
  return (
    <dl>
      <dt>{label}</dt>
      <dd>
        <b>{value === null ? '–' : whole ? formatRate(value) : formatNumber(value)}</b>
        <span>{change && describeDifference(metric, change)}</span>
      </dd>
      <dd>{whole ? `${formatNumber(usage[count])} of ${formatNumber(usage[whole])} ${whole}` : 'verifications'}</dd>
    </dl>
  )
}

/** Null for a part of nothing. */
function readMetric({ count, whole }: Metric, usage: Usage): number | null {
  if (!whole) return usage[count]
  return usage[whole] === 0 ? null : usage[count] / usage[whole]
}

/** "↑ 4.0%", or of a rate "↑ 4.0 points"; null where there is nothing to compare. */
function describeDifference(metric: Metric, { current, previous }: NonNullable<Summary['change']>): string | null {
  const [now, before] = [readMetric(metric, current), readMetric(metric, previous)]
  if (now === null || before === null || (!metric.whole && before === 0)) return null
  const difference = 100 * (metric.whole ? now - before : (now - before) / before)
  const size = Math.abs(difference).toFixed(1)
  if (size === '0.0') return 'unchanged'
  return `${difference > 0 ? '↑' : '↓'}\u00a0${size}${metric.whole ? '\u00a0points' : '%'}`
}
