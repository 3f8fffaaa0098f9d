import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import type { Days } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import type { Filters } from '../verifications/filters.ts'
import { sumCounts } from './bins.ts'
import { Legend } from './results-section.tsx'
import { reasonColor, type Series } from './series.tsx'
import { TimeChart } from './time-chart.tsx'

/** The reasons that the provider gave, over time. They change slowly, so they are not loaded again by themselves. */
export function DenialsSection({ days: range }: { days: Days }) {
  const query = useQuery(
    useTrpc().usage.denials.queryOptions(range, {
      placeholderData: keepPreviousData,
      staleTime: 60_000,
      select: toSeries,
    }),
  )
  return (
    <Section title="Why users are denied" description="By the UTC day of the decision.">
      <QueryState query={query} loading={<Skeleton h={{ base: 433, sm: 307 }} />}>
        {({ days, totals, series, sampledOneIn }) =>
          series.length === 0 ? (
            <Text>Nobody was denied in these days.</Text>
          ) : (
            <TimeChart label="Reasons" days={days} series={series} filter={denied} isBusy={query.isPlaceholderData}>
              <Legend label="Reasons" series={series} counts={totals} range={range} />
              {sampledOneIn > 1 && (
                <Text size="xs" c="dimmed">
                  About: estimated from one in {formatNumber(sampledOneIn)} denials.
                </Text>
              )}
            </TimeChart>
          )
        }
      </QueryState>
    </Section>
  )
}

const denied: Partial<Filters> = { statuses: ['denied'] }

/** The counts are named by the places of their reasons. */
function toSeries({ reasons, days: counted, sampledOneIn }: Outputs['usage']['denials']) {
  const days = counted.map(({ day, counts }) => ({ day, counts: Object.fromEntries(counts.entries()) }))
  const totals = sumCounts(days)
  const series: Series[] = reasons.map(({ reasonCode, reason }, place) => ({
    count: String(place),
    label: reason,
    color: reasonColor(reasonCode),
    filter: reasonCode !== null ? { ...denied, reasonCode } : reasons.length === 1 ? denied : undefined,
  }))
  return { days, totals, series: series.filter(({ count }) => totals[count]), sampledOneIn }
}
