import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../components/badge.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Page, Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { UtcDay } from '../components/timestamp.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import classes from './billing.module.css'
import { MonthChart } from './month-chart.tsx'
import { describeLevel, describeOutlook, type Usage } from './quota.ts'
import { UsageByMonth } from './usage-by-month.tsx'

type Billing = Outputs['billing']['get']

export function BillingPage() {
  return (
    <Page
      title="Billing"
      description="Contact the operator of this service to change the plan or the subscription."
    >
      <Section title="Usage this month">
        <div className={classes.month}>
          <MonthUsage />
          <Plan />
        </div>
      </Section>
      <UsageByMonth />
    </Page>
  )
}

const refreshMs = 30_000

/** How much of the quota is used, and when it will be used up. */
function MonthUsage() {
  const { usage } = useTrpc()
  const query = useQuery(usage.current.queryOptions(undefined, { refetchInterval: refreshMs }))
  const daily = useQuery(usage.daily.queryOptions(undefined, { refetchInterval: refreshMs }))
  return (
    <div>
      <QueryState query={query} loading={<Skeleton h={360} />}>
        {usage => (
          <>
            <Answer usage={usage} />
            <QueryState query={daily} loading={<Skeleton h={260} />}>
              {({ items }) => <MonthChart usage={usage} days={items} now={Date.now()} />}
            </QueryState>
            <Text size="sm" c="dimmed">
              Each verification counts once, in the UTC month in which it was started. Usage resets on{' '}
              <UtcDay day={usage.resetsAt.slice(0, 10)} />.
            </Text>
          </>
        )}
      </QueryState>
    </div>
  )
}

function Answer({ usage }: { usage: Usage }) {
  const { used, monthlyQuota } = usage
  return (
    <>
      <Text size="sm" c="dimmed">
        <Text span fz="1.5rem" fw={600} c="var(--text)">
          {formatNumber(used)}
        </Text>{' '}
        of {formatNumber(monthlyQuota)} started ({formatShare(used, monthlyQuota)})
      </Text>
      <Text size="sm">
        <b>{describeLevel(usage)}.</b> {describeOutlook(usage)}
      </Text>
    </>
  )
}

function Plan() {
  const query = useQuery(useTrpc().billing.get.queryOptions())
  return (
    <QueryState query={query} loading={<Skeleton h={320} />}>
      {billing => <DescriptionList items={describePlan(billing)} />}
    </QueryState>
  )
}

function describePlan({ plan, subscription, enabled, limits }: Billing) {
  const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = limits
  const isActive = subscription === 'active'
  return [
    { name: 'Plan', value: plan.charAt(0).toUpperCase() + plan.slice(1) },
    {
      name: 'Subscription',
      value: <Badge tone={isActive ? 'approved' : 'attention'}>{isActive ? 'Active' : 'Inactive'}</Badge>,
    },
    {
      name: 'Tenant',
      value: <Badge tone={enabled ? 'approved' : 'denied'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>,
    },
    { name: 'Monthly quota', value: `${formatNumber(monthlyQuota)} started per UTC month` },
    {
      name: 'Overage',
      value: overage
        ? 'On. Above the quota, new verifications are accepted up to the hard limit.'
        : 'Off. New verifications are rejected at the quota.',
    },
    ...(overage || hardLimit < monthlyQuota
      ? [{ name: 'Hard limit', value: `${formatNumber(hardLimit)} started per UTC month` }]
      : []),
    {
      name: 'Write rate limit',
      value: `${formatNumber(rateLimitPerMinute)} per minute and API key: start, submit and complete together`,
    },
    {
      name: 'Read rate limit',
      value: `${formatNumber(readRateLimitPerMinute)} per minute and API key: status and token validation together`,
    },
  ]
}
