import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import type { Days } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { sumCounts } from './bins.ts'
import { Legend } from './results-section.tsx'
import { reasonColors, type Series } from './series.tsx'
import { TimeChart } from './time-chart.tsx'

type Denials = Outputs['usage']['denials']

/** The reasons that the provider gave, over time. They change slowly, so they are not loaded again by themselves. */
export function DenialsSection({ days }: { days: Days }) {
  const query = useQuery(
    useTrpc().usage.denials.queryOptions(days, { placeholderData: keepPreviousData, staleTime: 60_000 }),
  )
  return (
    <Section title="Why users are denied" description="By the UTC day of the decision.">
      <QueryState query={query} loading={<Skeleton h={{ base: 380, md: 280 }} />}>
        {denials => <Reasons denials={denials} range={days} isBusy={query.isPlaceholderData} />}
      </QueryState>
    </Section>
  )
}

interface Props {
  denials: Denials
  range: Days
  isBusy: boolean
}

function Reasons({ denials: { reasons, days, sampledOneIn }, range, isBusy }: Props) {
  const { counted, totals, series } = useMemo(() => {
    const counted = days.map(({ day, counts }) => ({ day, counts: Object.fromEntries(counts.entries()) }))
    const totals = sumCounts(counted)
    return { counted, totals, series: toSeries(reasons).filter(({ count }) => totals[count]) }
  }, [reasons, days])
  if (series.length === 0) return <Text>Nobody was denied in these days.</Text>
  return (
    <TimeChart label="Reasons" days={counted} series={series} isBusy={isBusy}>
      <Legend label="Reasons" series={series} counts={totals} range={range} />
      {sampledOneIn > 1 && (
        <Text size="xs" c="dimmed">
          About: estimated from one in {formatNumber(sampledOneIn)} denials.
        </Text>
      )}
    </TimeChart>
  )
}

/** The counts are named by their places. */
function toSeries(reasons: Denials['reasons']): Series[] {
  return reasons.map(({ reasonCode, reason }, place) => ({
    count: String(place),
    label: reason,
    color: reasonCode === null ? 'var(--neutral)' : reasonColors[place]!,
    filter: { statuses: ['denied'], ...(reasonCode !== null && { reasonCode }) },
  }))
}
