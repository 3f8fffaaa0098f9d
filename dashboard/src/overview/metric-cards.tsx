import { Anchor, Card, Progress, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { limitOf, quotaLevel, type Usage } from '../billing/quota.ts'
import { formatUtcDay } from '../components/dates.ts'
import { formatDuration, formatNumber, formatShare } from '../components/format-number.ts'
import { useTenantPath } from '../session/session-context.ts'
import {
  type Comparison,
  type DayComparison,
  formatAmounts,
  formatDurations,
  formatRates,
  weekdays,
} from './findings.ts'
import classes from './overview.module.css'

const cardHeight = 148

export function LoadingCards() {
  return (
    <CardGrid>
      {['starts', 'approval', 'adult', 'completion', 'duration', 'quota'].map(name => (
        <Skeleton key={name} h={cardHeight} />
      ))}
    </CardGrid>
  )
}

function CardGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }} spacing="sm">
      {children}
    </SimpleGrid>
  )
}

/** The day's metrics, each beside what is normal for its weekday. */
export function MetricCards({ day, usage }: { day: DayComparison; usage: Usage }) {
  const { approved, decided, over18, ended, started, medianSeconds } = day.usage
  const rate = (part: number, whole: number, name: string) => ({
    value: whole === 0 ? '–' : formatShare(part, whole),
    basis: `${formatNumber(part)} of ${formatNumber(whole)} ${name}`,
    at: whole === 0 ? undefined : part / whole,
    format: formatRates,
    normalFor: weekdays(day),
  })
  const metrics: Metric[] = [
    {
      label: 'Started',
      value: formatNumber(started),
      basis: 'verifications',
      at: started,
      compared: day.starts,
      format: formatAmounts,
      normalFor: day.isOver ? weekdays(day) : `whole ${weekdays(day)}`,
    },
    { label: 'Approval rate', ...rate(approved, decided, 'decided'), compared: day.approval },
    { label: '18+ rate', ...rate(over18, approved, 'approved'), compared: day.adult },
    { label: 'Completion rate', ...rate(decided, ended, 'ended'), compared: day.completion },
    {
      label: 'Median time',
      value: medianSeconds === null ? '–' : formatDuration(medianSeconds),
      basis: 'from start to decision',
      at: medianSeconds ?? undefined,
      compared: day.duration,
      format: formatDurations,
      normalFor: weekdays(day),
    },
  ]
  return (
    <CardGrid>
      {metrics.map(metric => (
        <MetricCard key={metric.label} metric={metric} />
      ))}
      <QuotaCard usage={usage} />
    </CardGrid>
  )
}

interface Metric {
  label: string
  value: string
  /** What the value is a part of, with its numbers. */
  basis: string
  /** Undefined where there is none. */
  at: number | undefined
  compared: Comparison
  format: (range: NonNullable<Comparison['normal']>) => string
  /** What the normal range is of. */
  normalFor: string
}

function MetricCard({ metric }: { metric: Metric }) {
  const { label, value, basis, at, compared, format, normalFor } = metric
  const { normal, verdict } = compared
  const isUnusual = verdict === 'low' || verdict === 'high'
  return (
    <CardFrame label={label} value={value} basis={basis}>
      {normal && at !== undefined ? (
        <>
          <NormalRange normal={normal} at={at} isUnusual={isUnusual} />
          <Text size="xs" {...(isUnusual && { fw: 600, c: 'var(--attention-text)' })}>
            <span aria-hidden>{isUnusual && (verdict === 'low' ? '▼ ' : '▲ ')}</span>
            {isUnusual && (verdict === 'low' ? 'Low. ' : 'High. ')}
            Normal for {normalFor}: {format(normal).replace(/(?<!–) /g, '\u00a0')}
          </Text>
        </>
      ) : (
        <Text size="xs" c="dimmed">
          Too few to compare
        </Text>
      )}
    </CardFrame>
  )
}

const tones = {
  normal: 'accent',
  near: 'attention',
  overage: 'attention',
  'almost-reached': 'attention',
  reached: 'denied',
} as const

function QuotaCard({ usage }: { usage: Usage }) {
  const tenantPath = useTenantPath()
  const { used, monthlyQuota, resetsAt } = usage
  const limit = limitOf(usage)
  const color = `var(--${tones[quotaLevel(usage)]})`
  return (
    <CardFrame
      label="Monthly quota"
      value={formatShare(used, monthlyQuota)}
      basis={`${formatNumber(used)} of ${formatNumber(monthlyQuota)}`}
    >
      <Progress size="lg" radius="xl" aria-hidden value={Math.min(100, (100 * used) / limit)} color={color} />
      <Anchor component={Link} to={tenantPath('/billing')} size="xs" underline="always">
        Resets on {formatUtcDay(resetsAt.slice(0, 10))}
      </Anchor>
    </CardFrame>
  )
}

interface FrameProps {
  label: string
  value: string
  basis: string
  children: ReactNode
}

/** A group of its own, so that a screen reader says which label belongs to which number. */
function CardFrame({ label, value, basis, children }: FrameProps) {
  return (
    <Card component="dl" withBorder padding="md" m={0} mih={cardHeight}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz="1.5rem" fw={600} lh={1.3}>
        {value}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed">
        {basis}
      </Text>
      <dd className={classes.comparison}>{children}</dd>
    </Card>
  )
}

interface RangeProps {
  normal: NonNullable<Comparison['normal']>
  at: number
  isUnusual: boolean
}

/** The normal range as a bar, and the value as a mark on its scale. It repeats the text below. */
function NormalRange({ normal: { low, high }, at, isUnusual }: RangeProps) {
  const [from, to] = [Math.min(low, at), Math.max(high, at)]
  const margin = (to - from) * 0.15 || 1
  const place = (value: number) => `${(100 * (value - from + margin)) / (to - from + 2 * margin)}%`
  return (
    <div className={classes.range} aria-hidden>
      <div
        className={classes.normal}
        style={{ insetInlineStart: place(low), width: `calc(${place(high)} - ${place(low)})` }}
      />
      <div className={classes.mark} data-unusual={isUnusual} style={{ insetInlineStart: place(at) }} />
    </div>
  )
}
