import { Anchor, Card, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { limitOf, quotaLevel, type Usage } from '../billing/quota.ts'
import { formatUtcDay } from '../components/dates.ts'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { useTenantPath } from '../session/session-context.ts'
import { weekdays } from './findings.ts'
import { type DayComparison, type MetricName, metricNames, metrics } from './metrics.ts'

/** A basis that has no room beside its value is below it. */
const wrapped = { flexWrap: 'wrap', columnGap: '0.5rem', alignItems: 'baseline' } as const

const cardGrid = { cols: { base: 2, sm: 3, xl: 6 }, spacing: 'sm' }
const cardHeight = { base: 144, lg: 126, xl: 144 }

export function LoadingCards() {
  return (
    <SimpleGrid {...cardGrid}>
      {[...metricNames, 'quota'].map(name => (
        <Skeleton key={name} h={cardHeight} />
      ))}
    </SimpleGrid>
  )
}

/** The day's metrics, each beside what is normal for its weekday. */
export function MetricCards({ day, usage }: { day: DayComparison; usage: Usage }) {
  return (
    <SimpleGrid {...cardGrid}>
      {metricNames.map(name => (
        <MetricCard key={name} name={name} day={day} />
      ))}
      <QuotaCard usage={usage} />
    </SimpleGrid>
  )
}

function MetricCard({ name, day }: { name: MetricName; day: DayComparison }) {
  const { label, of, basis, format, formatRange } = metrics[name]
  const value = of(day.usage)
  const { normal, verdict } = day[name]
  const isUnusual = verdict === 'low' || verdict === 'high'
  const isWholeDay = name === 'starts' && !day.isOver
  return (
    <MetricValue isCard label={label} value={value === null ? '–' : format(value)} basis={basis(day.usage)}>
      {normal && value !== null ? (
        <Text size="xs" {...(isUnusual && { fw: 600, c: 'var(--attention-text)' })}>
          <span aria-hidden>{isUnusual && (verdict === 'low' ? '▼ ' : '▲ ')}</span>
          {isUnusual && (verdict === 'low' ? 'Low. ' : 'High. ')}
          Normal for {isWholeDay && 'whole '}
          {weekdays(day)}:{' '}
          <Text span inherit display="inline-block">
            {formatRange(normal).replace(/(?<!–) /g, '\u00a0')}
          </Text>
        </Text>
      ) : (
        <Text size="xs" c="dimmed">
          Too few to compare
        </Text>
      )}
    </MetricValue>
  )
}

/** How near the quota is, and when it will be reached, if that is this month. */
function QuotaCard({ usage }: { usage: Usage }) {
  const tenantPath = useTenantPath()
  const { used, monthlyQuota, resetsAt, projectedEndAt } = usage
  const level = quotaLevel(usage)
  const tone = level === 'reached' ? 'denied' : level === 'normal' ? 'accent' : 'attention'
  return (
    <MetricValue
      isCard
      label="Monthly quota"
      value={formatShare(used, monthlyQuota)}
      basis={`${formatNumber(used)} of ${formatNumber(monthlyQuota)}`}
    >
      <Progress aria-hidden value={Math.min(100, (100 * used) / limitOf(usage))} color={`var(--${tone})`} />
      <Anchor component={Link} to={tenantPath('/billing')} size="xs" underline="always">
        {projectedEndAt ? 'Reached about' : 'Resets on'} {formatUtcDay((projectedEndAt ?? resetsAt).slice(0, 10))}
      </Anchor>
    </MetricValue>
  )
}

interface ValueProps {
  label: string
  value: string
  /** Below the value. */
  basis: string
  isCard?: boolean
  /** What the value is compared with. */
  children?: ReactNode
}

/** A group of its own, so that a screen reader says which label belongs to which number. */
export function MetricValue({ label, value, basis, isCard = false, children }: ValueProps) {
  return (
    <Card
      component="dl"
      withBorder={isCard}
      padding={isCard ? 'md' : 0}
      m={0}
      mih={isCard ? cardHeight : 0}
      bg={isCard ? 'var(--surface)' : 'transparent'}
    >
      <Text component="dt" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz="1.5rem" fw={600} lh={1.3} display={isCard ? 'flex' : 'grid'} style={wrapped}>
        {value}{' '}
        <Text span size="xs" fw={400} c="dimmed">
          {basis}
        </Text>
      </Text>
      {children && (
        <Stack component="dd" gap="0.375rem" m={0} mt="auto" pt="xs">
          {children}
        </Stack>
      )}
    </Card>
  )
}
