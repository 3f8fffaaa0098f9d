import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import type { Days } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { ExportButton } from '../exports/export-button.tsx'
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
    <Section
      title="Why users are denied"
      description="By the UTC day of the decision."
      actions={<ExportButton name="denials" filters={{ ...range }} words={`${range.from}-${range.to}`} />}
    >
      <QueryState query={query} loading={<Skeleton h={{ base: 433, sm: 307 }} />}>
        {({ days, totals, series, note }) =>
          series.length === 0 ? (
            <Text>{note ?? 'Nobody was denied in these days.'}</Text>
          ) : (
            <TimeChart label="Reasons" days={days} series={series} filter={denied} isBusy={query.isPlaceholderData}>
              <Legend label="Reasons" series={series} counts={totals} range={range} />
              {note && (
                <Text size="xs" c="dimmed">
                  {note}
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

/** How many reasons the service counts by day; all others together. */
const countedByDay = 5

function toSeries({ reasons, days: counted, denied: count, sampledOneIn }: Outputs['usage']['denials']) {
  const all = reasons.map(({ reasonCode, reason }) => ({
    count: `code ${reasonCode}`,
    label: reason,
    color: reasonColor(reasonCode),
    filter: reasonCode !== null ? { ...denied, reasonCode } : reasons.length === 1 ? denied : undefined,
  }))
  const parts = all.slice(countedByDay).map(({ color: _, ...part }) => part)
  const others = { count: 'others', label: 'Other reasons', color: reasonColor(null), filter: undefined, parts }
  const series: Series[] = all.length <= countedByDay + 1 ? all : [...all.slice(0, countedByDay), others]
  const days = counted.map(({ day, counts }) => ({
    day,
    counts: Object.fromEntries(series.map(({ count }, place) => [count, counts[place] ?? 0])),
  }))
  const totals = {
    ...sumCounts(days),
    ...Object.fromEntries(reasons.map(({ count }, place) => [all[place]!.count, count])),
  }
  const lost = count - reasons.reduce((sum, { count }) => sum + count, 0)
  const sampled = `About: estimated from one in ${formatNumber(sampledOneIn)} denials.`
  const deleted = `The reasons of ${formatNumber(lost)} denials were deleted with their verifications.`
  const note = sampledOneIn > 1 ? sampled : lost > 0 ? deleted : undefined
  return { days, totals, series, note }
}
