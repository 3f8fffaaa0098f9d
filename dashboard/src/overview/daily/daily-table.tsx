import { formatNumber } from '../../numbers/format-number.ts'
import { type Column, DataTable } from '../../table/data-table.tsx'
import classes from './daily-table.module.css'
import { type Day, outcomes } from './outcomes.ts'

/** The chart's numbers, for those who want them exactly or can't see it. The newest day is first. */
export function DailyTable({ days }: { days: readonly Day[] }) {
  return (
    <details className={classes.details}>
      <summary>Numbers as a table</summary>
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
