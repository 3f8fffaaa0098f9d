import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'
import { FactList } from '../facts/fact-list.tsx'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { UsageSection } from '../overview/usage-section.tsx'
import { Page } from '../page/page.tsx'
import { Section } from '../page/section.tsx'
import { limitFacts, planFacts } from './billing-facts.tsx'

export function BillingPage() {
  const { data, error, refetch } = useQuery(useConsole().billing.get.queryOptions())
  return (
    <Page
      title="Billing"
      description="The plan and its limits. Whoever runs this service changes the plan and the subscription."
    >
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : (
        <>
          <Section title="Subscription">
            {data ? <FactList facts={planFacts(data)} /> : <Skeleton height={110} />}
          </Section>
          <Section title="Limits of the plan">
            {data ? <FactList facts={limitFacts(data.limits)} /> : <Skeleton height={179} />}
          </Section>
        </>
      )}
      <UsageSection />
    </Page>
  )
}
