import { Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Column } from '../components/data-table.tsx'
import { formatNumber, formatPart, formatRate } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import type { Days } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { approvalRate, type Bin, type DayCounts, sumCounts } from './bins.ts'
import classes from './overview.module.css'
import { ageSeries, ListLink, rateColor, resultSeries, type Series, Swatch } from './series.tsx'
import { TimeChart, toColumn } from './time-chart.tsx'

const refreshMs = 30_000

/** What the verifications of a time range came to, and the ages of the users whose identity was confirmed. */
export function ResultsSection({ days: range }: { days: Days }) {
  const query = useQuery(
    useTrpc().usage.daily.queryOptions(range, {
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
      select: toCounts,
    }),
  )
  const chart = { label: 'Results', series: resultSeries, columns, isBusy: query.isPlaceholderData }
  return (
    <Section id="results" title="Results" description="Verifications by the UTC day on which they completed.">
      <QueryState query={query} loading={<Skeleton h={{ base: 658, sm: 359 }} />}>
        {days => (
          <TimeChart {...chart} days={days} hasRate>
            <Totals counts={sumCounts(days)} range={range} />
          </TimeChart>
        )}
      </QueryState>
    </Section>
  )
}

function toCounts({ items }: Outputs['usage']['daily']): DayCounts[] {
  return items.map(({ day, ...counts }) => ({ day, counts }))
}

/** The legend, with the totals and links to their verifications. */
function Totals({ counts, range }: { counts: Record<string, number>; range: Days }) {
  const { approved = 0 } = counts
  return (
    <>
      <Legend label="Results" series={resultSeries} counts={counts} range={range}>
        <li>
          <Swatch color={rateColor} isLine />
          Approval rate <b>{describeRate(counts)}</b>
        </li>
      </Legend>
      <Stack gap="0.625rem">
        <Text fw={600}>Age of the approved</Text>
        <Legend label="Age of the approved" series={ageSeries} counts={counts} range={range} whole={approved} />
        <Text size="xs" c="dimmed" maw="15rem">
          Approved does not mean 18 or over: minors pass the identity check, too.
        </Text>
      </Stack>
    </>
  )
}

interface LegendProps {
  label: string
  series: readonly (Omit<Series, 'color'> & { color?: string })[]
  counts: Record<string, number>
  range: Days
  /** What the totals are a part of: all of them together by default. */
  whole?: number
  children?: ReactNode
}

/** The total of each series, with a link to its verifications, or with its parts. */
export function Legend({ label, series, counts, range, whole, children }: LegendProps) {
  const of = whole ?? series.reduce((sum, { count }) => sum + (counts[count] ?? 0), 0)
  return (
    <Stack component="ul" className={classes.list} gap="0.25rem" aria-label={label}>
      {series.map(({ count, label, color, filter, parts }) => {
        const total = (
          <>
            {color && <Swatch color={color} />}
            {counts[count] && filter ? <ListLink filter={{ ...filter, ...range }}>{label}</ListLink> : label}{' '}
            <b>{formatNumber(counts[count] ?? 0)}</b> ({formatPart(counts[count] ?? 0, of)})
          </>
        )
        return (
          <li key={count}>
            {!parts ? (
              total
            ) : (
              <details>
                <summary>{total}</summary>
                <Legend label={label} series={parts} counts={counts} range={range} whole={of} />
              </details>
            )}
          </li>
        )
      })}
      {children}
    </Stack>
  )
}

function describeRate(counts: Record<string, number>): string {
  const rate = approvalRate(counts)
  return rate === undefined ? '–' : formatRate(rate)
}

const columns: Column<Bin>[] = [
  ...ageSeries.map(toColumn),
  { header: 'Started', width: 4, alignEnd: true, render: ({ counts }) => formatNumber(counts.started ?? 0) },
  { header: 'Approval rate', width: 4.5, alignEnd: true, render: ({ counts }) => describeRate(counts) },
]
