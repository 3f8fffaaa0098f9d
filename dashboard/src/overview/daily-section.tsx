import { Anchor, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatNumber } from '../components/format-number.ts'
import type { Polling } from '../components/freshness.tsx'
import { Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import classes from './daily-chart.module.css'
import { DailyChart } from './daily-chart.tsx'
import { ageSeries, type Day, resultSeries, type Series, Swatch, sumOf, useListPath } from './series.tsx'
import type { Days } from './time-range.ts'

const charts = {
  results: { label: 'Results', series: resultSeries },
  age: { label: 'Age of approved', series: ageSeries },
}
type ChartName = keyof typeof charts

export function DailySection({ days, polling }: { days: Days; polling: Polling }) {
  const [params, setParams] = useSearchParams()
  const shown: ChartName = params.get('chart') === 'age' ? 'age' : 'results'
  const query = useQuery(
    useTrpc().usage.daily.queryOptions(days, {
      placeholderData: keepPreviousData,
      refetchInterval: polling.refetchInterval,
    }),
  )
  const show = (name: string) => {
    const changed = new URLSearchParams(params)
    if (name === 'results') changed.delete('chart')
    else changed.set('chart', name)
    setParams(changed, { replace: true, preventScrollReset: true })
  }
  return (
    <Section
      title="Results per day"
      description="Verifications by the UTC day on which they completed."
      actions={
        <SegmentedControl
          aria-label="Shown in the chart"
          size="xs"
          data={Object.entries(charts).map(([value, { label }]) => ({ value, label }))}
          value={shown}
          onChange={show}
        />
      }
    >
      <QueryState query={query} loading={<Loading />}>
        {({ items }) => (
          <div aria-busy={query.isPlaceholderData} className={classes.results}>
            <Legend days={items} range={days} series={charts[shown].series} />
            <DailyChart days={items} series={charts[shown].series} />
            <DailyTable days={items} />
          </div>
        )}
      </QueryState>
    </Section>
  )
}

function Loading() {
  return (
    <>
      <Skeleton h={232} />
      <Text size="sm">&nbsp;</Text>
    </>
  )
}

/** The totals, each with a link to its verifications. */
function Legend({ days, range, series }: { days: readonly Day[]; range: Days; series: readonly Series[] }) {
  const listPath = useListPath()
  return (
    <ul className={classes.legend}>
      {series.map(each => (
        <li key={each.count}>
          <Swatch color={each.color} />
          <Anchor component={Link} to={listPath({ ...each.filter, ...range })} inherit underline="always">
            {each.label}
          </Anchor>{' '}
          <b>{formatNumber(sumOf(days, each.count))}</b>
        </li>
      ))}
    </ul>
  )
}

/** The exact numbers of both charts, newest day first. */
function DailyTable({ days }: { days: readonly Day[] }) {
  return (
    <details className={classes.details}>
      <summary>Show as table</summary>
      <DataTable label="Results per day" columns={columns} rows={days.toReversed()} rowKey={day => day.day} />
    </details>
  )
}

const columns: Column<Day>[] = [
  { header: 'Day (UTC)', render: ({ day }) => <DayLink day={day}>{day}</DayLink> },
  { header: 'Started', alignEnd: true, render: day => formatNumber(day.started) },
  ...[...resultSeries, ...ageSeries].map(({ count, label, filter }) => ({
    header: label,
    alignEnd: true,
    render: (day: Day) => (
      <DayLink day={day.day} filter={filter}>
        {formatNumber(day[count])}
      </DayLink>
    ),
  })),
]

interface DayLinkProps {
  day: string
  filter?: Series['filter']
  children: string
}

/** To the verifications of a day. */
function DayLink({ day, filter, children }: DayLinkProps) {
  const listPath = useListPath()
  return (
    <Anchor component={Link} to={listPath({ ...filter, from: day, to: day })} inherit underline="always">
      {children}
    </Anchor>
  )
}
