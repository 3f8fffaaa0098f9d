import frame from '../components/chart.module.css'
import { formatDay } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { axisMax, GridLines } from '../components/grid-lines.tsx'
import classes from './billing.module.css'
import { type Day, limitOf, type Usage } from './quota.ts'

const dayMs = 86_400_000

interface Props {
  usage: Usage
  /** From the first of the UTC month to today. */
  days: readonly Day[]
  now: number
}

/**
 * The starts of the month, added up, against the quota; dashed, how they go on at the pace of the last 7 days. Hidden from
 * screen readers, because it repeats what the text above it says.
 */
export function MonthChart({ usage, days, now }: Props) {
  const { used, monthlyQuota, hardLimit, overage, resetsAt, startsPerDay, projectedEndAt } = usage
  const resets = new Date(resetsAt)
  const first = Date.UTC(resets.getUTCFullYear(), resets.getUTCMonth() - 1, 1)
  /** Where a time is, from 0 to 1. */
  const toX = (time: number) => (time - first) / (resets.getTime() - first)
  const projected = used + (startsPerDay * (resets.getTime() - now)) / dayMs
  const limits = [
    { name: 'Quota', count: monthlyQuota },
    ...(overage || hardLimit < monthlyQuota ? [{ name: 'Hard limit', count: hardLimit }] : []),
  ].sort((one, other) => other.count - one.count)
  // A projection far beyond the limit is cut off, so that the rest is readable.
  const shown = [1, used, ...limits.map(({ count }) => count), Math.min(projected, 1.2 * limitOf(usage))]
  const top = axisMax(1.1 * Math.max(...shown))
  const toY = (count: number) => 1 - count / top
  const end = projectedEndAt ? `${100 * toX(Date.parse(projectedEndAt))}%` : '0%'
  const today = `${toX(now)} ${toY(used)}`
  // The starts up to the end of each day.
  let total = 0
  const path = days.slice(0, -1).map(({ day, started }) => {
    total += started
    return `L${toX(Date.parse(day) + dayMs)} ${toY(total)}`
  })
  return (
    <div className={`${frame.chart} ${classes.chart}`} aria-hidden>
      <GridLines max={top} />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" className={frame.lines} aria-hidden>
        <path d={`M0 1 ${path.join(' ')} L${today}`} stroke="var(--accent)" strokeWidth={2} />
        <path d={`M${today} L1 ${toY(projected)}`} stroke="var(--accent)" strokeWidth={2} strokeDasharray="4 4" />
        {limits.map(({ name, count }) => (
          <path key={name} d={`M0 ${toY(count)} L1 ${toY(count)}`} stroke="var(--attention)" />
        ))}
        {projectedEndAt && (
          <path
            d={`M${toX(Date.parse(projectedEndAt))} ${toY(limitOf(usage))} V1`}
            stroke="var(--attention)"
            strokeDasharray="2 3"
          />
        )}
      </svg>
      {limits.map(({ name, count }) => (
        <span key={name} className={classes.limit} style={{ bottom: `max(${(100 * count) / top}%, 1.25em)` }}>
          {name} {formatNumber(count)}
        </span>
      ))}
      <span className={frame.label} style={{ insetInlineStart: 0 }}>
        {formatDay(new Date(first).toISOString().slice(0, 10))}
      </span>
      <span className={frame.label} style={{ insetInlineEnd: 0 }}>
        {formatDay(new Date(resets.getTime() - dayMs).toISOString().slice(0, 10))}
      </span>
      {projectedEndAt && (
        <span className={classes.end} style={{ insetInlineStart: end, translate: `-${end}` }}>
          Reached about {formatDay(projectedEndAt.slice(0, 10))}
        </span>
      )}
    </div>
  )
}
