import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../components/badge.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { formatNumber } from '../components/format-number.ts'
import { Page, Section } from '../components/page.tsx'
import { UsageSection } from '../overview/usage-section.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'

type Billing = Outputs['billing']['get']

export function BillingPage() {
  const { data, error, refetch } = useQuery(useTrpc().billing.get.queryOptions())
  return (
    <Page
      title="Billing"
      description="Your plan and its limits. Contact the operator of this service to change the plan or the subscription."
    >
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : (
        <>
          <Section title="Subscription">
            {data ? (
              <DescriptionList items={subscriptionItems(data)} />
            ) : (
              <Skeleton h={{ base: 168, xs: 110 }} />
            )}
          </Section>
          <Section title="Plan limits">
            {data ? (
              <DescriptionList items={limitItems(data.limits)} />
            ) : (
              <Skeleton h={{ base: 318, xs: 179 }} />
            )}
          </Section>
        </>
      )}
      <UsageSection />
    </Page>
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
      value: `${formatNumber(rateLimitPerMinute)} requests per minute and API key: start, submit and complete`,
    },
    {
      name: 'Read rate limit',
      value: `${formatNumber(readRateLimitPerMinute)} requests per minute and API key: status and token validation`,
    },
    { name: 'Monthly quota', value: `${formatNumber(monthlyQuota)} started verifications per UTC month` },
    { name: 'Hard limit', value: `${formatNumber(hardLimit)} started verifications per UTC month` },
    {
      name: 'Overage',
      value: overage ? 'Allowed up to the hard limit' : 'Not allowed: starts are rejected at the quota',
    },
  ]
}
