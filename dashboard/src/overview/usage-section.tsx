import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorAlert } from '../components/error-alert.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import classes from './usage-section.module.css'

type Usage = Outputs['usage']['current']

const refreshMs = 30_000

/** In pixels; the text wraps where it is narrow. */
const meterHeight = { wide: 82, narrow: 124 }

export function UsageSection() {
  const { data, error, refetch } = useQuery({
    ...useTrpc().usage.current.queryOptions(),
    refetchInterval: refreshMs,
  })
  return (
    <Section
      title="This month"
      description="Each verification counts once, in the UTC month in which it was started."
    >
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data ? (
        <UsageMeter usage={data} />
      ) : (
        <Skeleton h={{ base: meterHeight.narrow, xs: meterHeight.wide }} />
      )}
    </Section>
  )
}

/** The bar ends at the quota; with overage, at the hard limit. It repeats what the text says. */
function UsageMeter({ usage }: { usage: Usage }) {
  const { used, monthlyQuota, hardLimit, overage, resetsAt } = usage
  const end = overage ? Math.max(hardLimit, monthlyQuota) : Math.min(hardLimit, monthlyQuota)
  const width = (number: number) => `${Math.min(100, end === 0 ? 100 : (number / end) * 100)}%`
  return (
    <div>
      <div className={classes.numbers}>
        <p className={classes.used}>
          <strong>{formatNumber(used)}</strong> of {formatNumber(monthlyQuota)} used (
          {formatShare(used, monthlyQuota)})
        </p>
        <p>Hard limit: {formatNumber(hardLimit)}</p>
      </div>
      <div className={classes.track} aria-hidden>
        <div className={classes.fill} data-level={levelOf(usage)} style={{ width: width(used) }} />
        {overage && monthlyQuota < end && (
          <div className={classes.quota} style={{ left: width(monthlyQuota) }} title="Monthly quota" />
        )}
      </div>
      <Text size="sm" c="dimmed">
        {explain(usage)} Usage resets on <Timestamp at={resetsAt} />.
      </Text>
    </div>
  )
}

function levelOf({ used, monthlyQuota, hardLimit, overage }: Usage): 'normal' | 'high' | 'exceeded' {
  if (used >= hardLimit || (used >= monthlyQuota && !overage)) return 'exceeded'
  return used >= monthlyQuota * 0.8 ? 'high' : 'normal'
}

function explain({ used, monthlyQuota, hardLimit, overage }: Usage): string {
  if (used >= hardLimit) {
    return 'Hard limit reached: new verifications are rejected with HARD_LIMIT_EXCEEDED.'
  }
  if (used >= monthlyQuota && !overage) {
    return 'Quota reached: new verifications are rejected with QUOTA_EXCEEDED.'
  }
  if (used >= monthlyQuota) return 'Quota reached: overage is allowed up to the hard limit.'
  if (overage) return 'Above the quota, overage is allowed up to the hard limit.'
  return 'New verifications are rejected once the quota is reached.'
}
