import { memo } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../components/format-number.ts'
import { formatUtcDay } from '../components/timestamp.tsx'
import classes from './daily-chart.module.css'
import { useListPath } from './list-links.ts'
import type { Day, Series } from './series.tsx'

/** The area of the bars within the chart, in pixels. */
export const plot = { height: 160, left: 40, top: 8 }

const barWidthMax = 36

interface Props {
  day: Day
  index: number
  series: readonly Series[]
  x: number
  width: number
  /** The count at the top of the axis. */
  max: number
  /** The segment that is the chart's tab stop, -1 for the day itself; undefined if it is of another day. */
  tabStop: number | undefined
}

/** The segments are a pixel apart, so that they are distinguishable without colour vision. */
export const DayColumn = memo(function DayColumn({ day, index, series, x, width, max, tabStop }: Props) {
  const listPath = useListPath()
  const gap = Math.min(4, width * 0.2)
  const name = formatUtcDay(day.day)
  const link = (segment: number, filter: Series['filter'], label: string) => {
    return {
      to: listPath({ ...filter, from: day.day, to: day.day }),
      'data-point': `${index}:${segment}`,
      tabIndex: segment === tabStop ? 0 : -1,
      'aria-label': `${name}: ${label}`,
    }
  }
  const yOf = (count: number) => plot.top + plot.height * (1 - count / max)
  let total = 0
  return (
    <g data-day={day.day}>
      <Link {...link(-1, {}, describe(day, series))}>
        <rect x={x} y={0} width={width} height={plot.top + plot.height} className={classes.column} />
      </Link>
      {series.map(({ count, label, color, filter }, segment) => {
        const from = total
        total += day[count]
        if (day[count] === 0) return null
        const height = yOf(from) - yOf(total)
        return (
          <Link key={count} {...link(segment, filter, `${label} ${formatNumber(day[count])}`)}>
            <rect
              x={x + gap / 2}
              y={yOf(total)}
              width={Math.max(1, Math.min(width - gap, barWidthMax))}
              height={Math.max(1, height - (height > 3 ? 1 : 0))}
              rx={1.5}
              fill={color}
              className={classes.segment}
            />
          </Link>
        )
      })}
    </g>
  )
})

function describe(day: Day, series: readonly Series[]): string {
  const parts = series.filter(({ count }) => day[count] > 0)
  if (parts.length === 0) return 'no results'
  return parts.map(({ count, label }) => `${label} ${formatNumber(day[count])}`).join(', ')
}
