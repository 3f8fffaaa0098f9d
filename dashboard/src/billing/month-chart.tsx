import frame from '../components/chart.module.css'
import { Chart } from '../components/chart.tsx'
import { formatDay, formatUtcDay } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { axisMax, GridLines } from '../components/grid-lines.tsx'
import { addDays, beginningOf, dayMs } from '../components/periods.ts'
import { type Day, limitOf, projectUsage, sumOf, type Usage } from './quota.ts'

const limitStyle = { position: 'absolute', lineHeight: 1.25, color: 'var(--attention-text)' } as const

/** Where the projection leaves the plot. */
const clipped = { clipPath: 'inset(0 0 -1px)' }

interface Props {
  usage: Usage
  /** From the first of the UTC month to today. */
  days: readonly Day[]
  now: number
}

/**
 * The starts of the month, added up, against the quota; dashed, how they go on at the pace of the last 7 days. Hidden from
 * screen readers, because it repeats what the text above it says, and the overview has the numbers of each day.
 */
export function MonthChart({ usage, days, now }: Props) {
  const { used, monthlyQuota, hardLimit, overage, resetsAt } = usage
  const end = Date.parse(resetsAt)
  const firstDay = beginningOf('month', resetsAt.slice(0, 10), 1)
  const length = (end - Date.parse(firstDay)) / dayMs
  const dates = Array.from({ length }, (_, index) => addDays(firstDay, index))
  /** The starts up to the end of a day, also of one that is to come. */
  const totalAt = (index: number) =>
    index < days.length
      ? sumOf(days.slice(0, index + 1), 'started')
      : Math.round(projectUsage(usage, now, Date.parse(dates[index]!) + dayMs))
  const projected = projectUsage(usage, now, end)
  const limits = [
    { name: 'Quota', count: monthlyQuota },
    ...(overage || hardLimit < monthlyQuota ? [{ name: 'Hard limit', count: hardLimit }] : []),
  ].sort((one, other) => other.count - one.count)
  // A projection far beyond the limit is cut off, and so is a limit far above it: the rest is readable.
  const near = limits.map(({ count }) => count).filter(count => count <= 4 * projected)
  const top = axisMax(1.1 * Math.max(1, used, ...near, Math.min(projected, 1.2 * limitOf(usage))))
  const toY = (count: number) => 1 - count / top
  const today = `${1 - (end - now) / dayMs / length} ${toY(used)}`
  const path = days.slice(1).map((_, index) => `L${(index + 1) / length} ${toY(totalAt(index))}`)
  const describe = (day: string) => {
    const index = dates.indexOf(day)
    const started = days[index]?.started
    return (
      <>
        <b>{formatUtcDay(day)} (UTC)</b>
        {started !== undefined && <div>Started {formatNumber(started)}</div>}
        {`In the month ${started === undefined ? 'about' : 'so far'} ${formatNumber(totalAt(index))}`}
      </>
    )
  }
  return (
    <Chart describe={describe}>
      <GridLines max={top} />
      <div className={frame.days}>
        {dates.map((day, index) => (
          <div key={day} data-day={day}>
            {[0, 7, 14, 21, length - 1].includes(index) && <span className={frame.label}>{formatDay(day)}</span>}
          </div>
        ))}
      </div>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" className={frame.lines} style={clipped} aria-hidden>
        <path d={`M0 1 ${path.join(' ')} L${today}`} stroke="var(--accent)" strokeWidth={2} />
        <path d={`M${today} L1 ${toY(projected)}`} stroke="var(--accent)" strokeWidth={2} strokeDasharray="4 4" />
        {limits.map(({ name, count }) => (
          <path key={name} d={`M0 ${toY(count)} L1 ${toY(count)}`} stroke="var(--attention)" />
        ))}
      </svg>
      {limits.map(({ name, count }, place) => {
        const bottom = `clamp(1.25em, ${(100 * count) / top}%, 100% - 1.25em)`
        return (
          // The lower one's is below its line.
          <span key={name} style={{ ...limitStyle, bottom, translate: place > 0 ? '0 100%' : undefined }}>
            {name} {formatNumber(count)} {count > top && '↑'}
          </span>
        )
      })}
    </Chart>
  )
}
