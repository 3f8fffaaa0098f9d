import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type Column, DataTable } from '../components/data-table.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { chartHeight, DailyChart } from './daily-chart.tsx'
import { type Day, outcomes } from './daily-outcomes.ts'
import classes from './daily-section.module.css'

/** Each range ends today; 0 days means the current month. */
const ranges = [
  { value: 'month', label: 'This month', days: 0 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const

const dayMs = 86_400_000

export function DailySection() {
  const [params, setParams] = useSearchParams()
  const range = ranges.find(({ value }) => value === params.get('range')) ?? ranges[0]
  const { data, error, refetch } = useQuery({
    ...useTrpc().usage.daily.queryOptions(rangeInput(range.days, new Date())),
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title="Results per day"
      description="Verifications by the UTC day on which they completed."
      actions={
        <SegmentedControl
          aria-label="Time range"
          size="xs"
          data={ranges.map(({ value, label }) => ({ value, label }))}
          value={range.value}
          onChange={value => setParams({ range: value }, { replace: true, preventScrollReset: true })}
        />
      }
    >
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <DailyChart days={data.items} />
          <DailyTable days={data.items} />
        </>
      ) : (
        <>
          <Skeleton h={{ base: chartHeight.narrow, xs: chartHeight.wide }} />
          <Text size="sm">&nbsp;</Text>
        </>
      )}
    </Section>
  )
}

/** The first and the last UTC day, both included. */
function rangeInput(days: number, now: Date) {
  if (days === 0) return {}
  return { from: utcDay(new Date(now.getTime() - (days - 1) * dayMs)), to: utcDay(now) }
}

function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** The exact numbers of the chart, newest day first. */
function DailyTable({ days }: { days: readonly Day[] }) {
  return (
    <details className={classes.details}>
      <summary>Show as table</summary>
      <DataTable label="Results per day" columns={columns} rows={days.toReversed()} rowKey={day => day.day} />
    </details>
  )
}

const columns: Column<Day>[] = [
  { header: 'Day (UTC)', render: day => day.day },
  { header: 'Started', alignEnd: true, render: day => formatNumber(day.started) },
  ...outcomes.map(({ outcome, label }) => ({
    header: label,
    alignEnd: true,
    render: (day: Day) => formatNumber(day[outcome]),
  })),
]
