import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../components/data-table.tsx'
import { ExportButton } from '../components/export-button.tsx'
import { formatNumber } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { formatMonth } from '../overview/format.ts'
import { type Day, sumOf } from '../overview/series.tsx'
import { utcDay } from '../overview/time-range.tsx'
import { useTrpc } from '../trpc/trpc.ts'

interface Month {
  /** The first UTC day, `YYYY-MM-DD`. */
  firstDay: string
  days: Day[]
}

const monthsShown = 12

/** What the tenant has used in each of the last 12 months. */
export function UsageByMonth() {
  const days = lastMonths(new Date())
  const query = useQuery(useTrpc().usage.daily.queryOptions(days))
  return (
    <Section
      title="Usage by month"
      description="Starts by UTC month, and results by the month in which they completed."
      actions={<ExportButton name="usage" filters={days} />}
    >
      <QueryState query={query} loading={<MonthTable months={undefined} />}>
        {({ items }) => <MonthTable months={monthsOf(items)} />}
      </QueryState>
    </Section>
  )
}

function MonthTable({ months }: { months: Month[] | undefined }) {
  if (months?.length === 0) return <Text size="sm">No verifications in the last {monthsShown} months.</Text>
  return (
    <DataTable
      label="Usage by month"
      columns={columns}
      rows={months}
      rowKey={({ firstDay }) => firstDay}
      loadingRows={3}
    />
  )
}

/** The days of this month and of the eleven before it: at most 366. */
function lastMonths(now: Date) {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsShown + 1, 1))
  return { from: utcDay(first), to: utcDay(now) }
}

/** Newest first, without the months before the first usage. */
function monthsOf(days: readonly Day[]): Month[] {
  const byMonth = Map.groupBy(days, ({ day }) => `${day.slice(0, 7)}-01`)
  const months = [...byMonth].map(([firstDay, days]) => ({ firstDay, days }))
  const firstUsed = months.findIndex(({ days }) => days.some(hasUsage))
  return firstUsed === -1 ? [] : months.slice(firstUsed).toReversed()
}

function hasUsage({ day: _, ...counts }: Day): boolean {
  return Object.values(counts).some(count => (count ?? 0) > 0)
}

const counts = [
  { header: 'Started', count: 'started' },
  { header: 'Approved', count: 'approved' },
  { header: '18+', count: 'over18' },
  { header: 'Denied', count: 'denied' },
  { header: 'Rejected', count: 'rejected' },
] as const

const columns: Column<Month>[] = [
  { header: 'Month (UTC)', width: 9, render: ({ firstDay }) => formatMonth(firstDay) },
  ...counts.map(({ header, count }) => ({
    header,
    alignEnd: true,
    width: 5.5,
    render: ({ days }: Month) => formatNumber(sumOf(days, count)),
  })),
]
