import { Anchor, SimpleGrid, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { UsageSection } from '../billing/usage-section.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { usePolling } from '../components/freshness.tsx'
import { Page, Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useMembership } from '../session/session-context.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { NoVerifications, VerificationTable } from '../verifications/verification-table.tsx'
import { AgeSection } from './age-section.tsx'
import { DailySection } from './daily-section.tsx'
import { FunnelSection } from './funnel-section.tsx'
import { MetricCards } from './metric-cards.tsx'
import type { Summary } from './metrics.ts'
import { RangePicker } from './range-picker.tsx'
import { type Days, useTimeRange } from './time-range.ts'

export function OverviewPage() {
  const { tenantName } = useMembership()
  const range = useTimeRange()
  return (
    <Page
      title="Overview"
      description={`Usage and results for ${tenantName}.`}
      actions={<RangePicker {...range} />}
    >
      {range.problem ? (
        <div role="alert">
          <EmptyState
            icon="calendar-question"
            title="Choose another time range"
            description={range.problem}
          />
        </div>
      ) : (
        <Metrics days={range.days} />
      )}
      <UsageSection />
      <LatestSection />
    </Page>
  )
}

const refreshMs = 30_000

function Metrics({ days }: { days: Days }) {
  const polling = usePolling(refreshMs)
  const query = useQuery(
    useTrpc().usage.summary.queryOptions(days, {
      placeholderData: keepPreviousData,
      refetchInterval: polling.refetchInterval,
    }),
  )
  return (
    <>
      <QueryState query={query} polling={polling} loading={<SummarySections summary={undefined} />}>
        {summary => <SummarySections summary={summary} isPlaceholder={query.isPlaceholderData} />}
      </QueryState>
      <DailySection days={days} polling={polling} />
    </>
  )
}

interface SummaryProps {
  summary: Summary | undefined
  /** Whether the metrics are those of another time range, until the right ones are loaded. */
  isPlaceholder?: boolean
}

function SummarySections({ summary, isPlaceholder = false }: SummaryProps) {
  return (
    <Stack gap="1.25rem" aria-busy={isPlaceholder} opacity={isPlaceholder ? 0.5 : 1}>
      <MetricCards summary={summary} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <FunnelSection summary={summary} />
        <AgeSection summary={summary} />
      </SimpleGrid>
    </Stack>
  )
}

const rowsShown = 5
const latestRefreshMs = 10_000

function LatestSection() {
  const toPath = useTenantPath()
  const query = useQuery(
    useTrpc().verifications.list.queryOptions({ limit: rowsShown }, { refetchInterval: latestRefreshMs }),
  )
  return (
    <Section
      title="Latest verifications"
      actions={
        <Anchor component={Link} to={toPath('/verifications')} size="sm">
          View all
        </Anchor>
      }
    >
      <QueryState query={query} loading={<Latest rows={undefined} />}>
        {({ items }) => (items.length === 0 ? <NoVerifications /> : <Latest rows={items} />)}
      </QueryState>
    </Section>
  )
}

function Latest({ rows }: Pick<ComponentProps<typeof VerificationTable>, 'rows'>) {
  return <VerificationTable label="Latest verifications" rows={rows} loadingRows={rowsShown} />
}
