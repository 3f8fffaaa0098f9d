import { Anchor, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Day, sumOf } from '../billing/quota.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import classes from './overview.module.css'
import { ResultsChart } from './results-chart.tsx'
import { ageSeries, Meter, rateColor, resultSeries, type Series, Swatch, useListPath } from './series.tsx'
import type { Days } from './time-range.tsx'

const refreshMs = 30_000

/** What the verifications of each day came to, and the ages of the users whose identity was confirmed. */
export function ResultsSection({ days }: { days: Days }) {
  const query = useQuery(
    useTrpc().usage.daily.queryOptions(days, {
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
    }),
  )
  return (
    <Section title="Results per day" description="Verifications by the UTC day on which they completed.">
      <QueryState query={query} loading={<Skeleton h={{ base: 520, md: 300 }} />}>
        {({ items }) => (
          <div aria-busy={query.isPlaceholderData} className={classes.results}>
            <ResultsChart days={items} />
            <Totals days={items} range={days} />
            <DailyTable days={items} />
          </div>
        )}
      </QueryState>
    </Section>
  )
}

/** The legend, with the totals and links to their verifications. */
function Totals({ days, range }: { days: readonly Day[]; range: Days }) {
  const approved = sumOf(days, 'approved')
  const decided = approved + sumOf(days, 'denied')
  const results = resultSeries.reduce((sum, { count }) => sum + sumOf(days, count), 0)
  return (
    <div className={classes.totals}>
      <ul className={classes.legend} aria-label="Results">
        {resultSeries.map(series => (
          <Total key={series.count} series={series} days={days} range={range} whole={results} />
        ))}
        <li>
          <Swatch color={rateColor} isLine />
          Approval rate <b>{decided === 0 ? '–' : formatShare(approved, decided)}</b>
        </li>
      </ul>
      <Text size="sm" fw={600}>
        Age of the approved
      </Text>
      <Meter
        parts={ageSeries.map(({ count, color }) => ({
          name: count,
          share: approved === 0 ? 0 : sumOf(days, count) / approved,
          color,
        }))}
      />
      <ul className={classes.legend} aria-label="Age of the approved">
        {ageSeries.map(series => (
          <Total key={series.count} series={series} days={days} range={range} whole={approved} />
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        Approved does not mean 18 or over: minors pass the identity check, too.
      </Text>
    </div>
  )
}

interface TotalProps {
  series: Series
  days: readonly Day[]
  range: Days
  /** What the total is a part of. */
  whole: number
}

function Total({ series: { count, label, color, filter }, days, range, whole }: TotalProps) {
  const total = sumOf(days, count)
  return (
    <li>
      <Swatch color={color} />
      <ListLink filter={{ ...filter, ...range }}>{label}</ListLink> <b>{formatNumber(total)}</b> (
      {formatShare(total, whole)})
    </li>
  )
}

/** The exact numbers, newest day first. */
function DailyTable({ days }: { days: readonly Day[] }) {
  return (
    <details className={classes.details}>
      <summary>Show as table</summary>
      <DataTable label="Results per day" columns={columns} rows={days.toReversed()} rowKey={day => day.day} />
    </details>
  )
}

const columns: Column<Day>[] = [
  { header: 'Day (UTC)', render: ({ day }) => <ListLink filter={{ from: day, to: day }}>{day}</ListLink> },
  { header: 'Started', alignEnd: true, render: day => formatNumber(day.started) },
  ...[...resultSeries, ...ageSeries].map(({ count, label, filter }) => ({
    header: label,
    alignEnd: true,
    render: (day: Day) => (
      <ListLink filter={{ ...filter, from: day.day, to: day.day }}>{formatNumber(day[count])}</ListLink>
    ),
  })),
  {
    header: 'Approval rate',
    alignEnd: true,
    render: ({ approved, denied }) =>
      approved + denied === 0 ? '–' : formatShare(approved, approved + denied),
  },
]

/** To the verifications with a filter. */
function ListLink({ filter, children }: { filter: Series['filter']; children: string }) {
  const listPath = useListPath()
  return (
    <Anchor component={Link} to={listPath(filter)} inherit underline="always">
      {children}
    </Anchor>
  )
}
