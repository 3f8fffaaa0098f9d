import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Meter } from '../components/meter.tsx'
import { Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { UtcDay } from '../components/timestamp.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { describeLevel, limitOf, type QuotaLevel, quotaLevel, type Usage } from './quota.ts'

const refreshMs = 30_000

/** In pixels; the text wraps where it is narrow. */
const meterHeight = { wide: 104, narrow: 146 }

export function UsageSection() {
  const query = useQuery(useTrpc().usage.current.queryOptions(undefined, { refetchInterval: refreshMs }))
  return (
    <Section
      title="Usage this month"
      description="Each verification counts once, in the UTC month in which it was started."
    >
      <QueryState query={query} loading={<Skeleton h={{ base: meterHeight.narrow, xs: meterHeight.wide }} />}>
        {usage => <UsageMeter usage={usage} />}
      </QueryState>
    </Section>
  )
}

/** The bar ends where starts are rejected. It repeats what the text says. */
function UsageMeter({ usage }: { usage: Usage }) {
  const { used, monthlyQuota, hardLimit, overage, resetsAt } = usage
  const limit = limitOf(usage)
  const shareOf = (count: number) => (limit === 0 ? 1 : Math.min(1, count / limit))
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text size="sm" c="dimmed">
          <Text span fz="1.5rem" fw={600} c="var(--mantine-color-text)">
            {formatNumber(used)}
          </Text>{' '}
          of {formatNumber(monthlyQuota)} started ({formatShare(used, monthlyQuota)})
        </Text>
        {(overage || hardLimit < monthlyQuota) && (
          <Text size="sm" c="dimmed">
            Hard limit: {formatNumber(hardLimit)}
          </Text>
        )}
      </Group>
      <Meter
        parts={[{ name: 'used', share: shareOf(used), color: colors[quotaLevel(usage)] }]}
        {...(overage && monthlyQuota < limit && { mark: shareOf(monthlyQuota) })}
      />
      <Text size="sm" fw={600}>
        {describeLevel(usage)}.
      </Text>
      <Text size="sm" c="dimmed">
        {overage
          ? 'Above the quota, overage is allowed up to the hard limit.'
          : 'New verifications are rejected once the quota is reached.'}{' '}
        Usage resets on <UtcDay day={resetsAt.slice(0, 10)} />.
      </Text>
    </Stack>
  )
}

const colors: Record<QuotaLevel, string> = {
  normal: 'var(--waiting)',
  near: 'var(--attention)',
  overage: 'var(--attention)',
  'almost-reached': 'var(--attention)',
  reached: 'var(--denied)',
}
