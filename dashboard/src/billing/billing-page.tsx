import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../components/badge.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { formatNumber } from '../components/format-number.ts'
import { Page, Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { UsageByMonth } from './usage-by-month.tsx'
import { UsageSection } from './usage-section.tsx'

type Billing = Outputs['billing']['get']

export function BillingPage() {
  const query = useQuery(useTrpc().billing.get.queryOptions())
  return (
    <Page
      title="Billing"
      description="Your plan and its limits. Contact the operator of this service to change the plan or the subscription."
    >
      <QueryState query={query} loading={<Plan billing={undefined} />}>
        {billing => <Plan billing={billing} />}
      </QueryState>
      <UsageSection />
      <UsageByMonth />
    </Page>
  )
}

function Plan({ billing }: { billing: Billing | undefined }) {
  return (
    <>
      <Section title="Subscription">
        {billing ? (
          <DescriptionList items={subscriptionItems(billing)} />
        ) : (
          <Skeleton h={{ base: 156, xs: 94 }} />
        )}
      </Section>
      <Section title="Plan limits">
        {billing ? (
          <DescriptionList items={limitItems(billing.limits)} />
        ) : (
          <Skeleton h={{ base: 290, xs: 126 }} />
        )}
      </Section>
    </>
  )
}

function subscriptionItems({ plan, subscription, enabled }: Billing) {
  const isActive = subscription === 'active'
  return [
    { name: 'Plan', value: plan },
    {
      name: 'Subscription',
      value: <Badge tone={isActive ? 'approved' : 'attention'}>{isActive ? 'Active' : 'Inactive'}</Badge>,
    },
    {
      name: 'Tenant',
      value: <Badge tone={enabled ? 'approved' : 'denied'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>,
    },
  ]
}

function limitItems(limits: Billing['limits']) {
  const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = limits
  return [
    {
      name: 'Write rate limit',
      value: `${formatNumber(rateLimitPerMinute)} requests per minute per API key (start, submit and complete together)`,
    },
    {
      name: 'Read rate limit',
      value: `${formatNumber(readRateLimitPerMinute)} requests per minute per API key (status and token validation together)`,
    },
    { name: 'Monthly quota', value: `${formatNumber(monthlyQuota)} verifications started per UTC month` },
    {
      name: 'Overage',
      value: overage
        ? `On. Above the quota, new verifications are accepted up to the hard limit of ${formatNumber(hardLimit)}.`
        : 'Off. New verifications are rejected at the quota.',
    },
    ...(!overage && hardLimit < monthlyQuota
      ? [{ name: 'Hard limit', value: `${formatNumber(hardLimit)} verifications started per UTC month` }]
      : []),
  ]
}
