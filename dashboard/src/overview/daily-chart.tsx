import { Tooltip } from '@mantine/core'
import { memo, type PointerEvent, useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../components/format-number.ts'
import { formatUtcDay } from '../components/timestamp.tsx'
import classes from './daily-chart.module.css'
import { formatDay } from './format.ts'
import { type Day, type Series, Swatch, totalOf, useListPath } from './series.tsx'

const dayLabelsMax = 7

interface Props {
  days: readonly Day[]
  series: readonly Series[]
}

/**
 * A stacked bar chart by day, in which each day and each of its segments links to its verifications. It is for the
 * pointer only: the table below it has the same numbers and links for the keyboard and for screen readers.
 */
export function DailyChart({ days, series }: Props) {
  const [hovered, setHovered] = useState<HTMLElement | null>(null)
  const highest = Math.max(0, ...days.map(day => totalOf(day, series)))
  const max = axisMax(highest)
  const labelEvery = Math.ceil(days.length / dayLabelsMax)
  const hoveredDay = days.find(({ day }) => day === hovered?.dataset.day)
  const hover = ({ target }: PointerEvent) => setHovered((target as HTMLElement).closest('[data-day]'))
  return (
    <div className={classes.chart} aria-hidden onPointerLeave={() => setHovered(null)}>
      {[0, max / 2, max].map(count => (
        <div key={count} className={classes.gridLine} style={{ bottom: `${(100 * count) / max}%` }}>
          <span>{formatNumber(count)}</span>
        </div>
      ))}
      {highest === 0 && <div className={classes.empty}>No results in this period</div>}
      <div className={classes.days} onPointerOver={hover}>
        {days.map((day, index) => (
          <DayColumn
            key={day.day}
            day={day}
            series={series}
            max={max}
            isLabelled={index % labelEvery === 0 && index <= days.length - labelEvery}
          />
        ))}
      </div>
      {hoveredDay && (
        <Tooltip
          key={hoveredDay.day}
          opened
          target={hovered}
          label={<DayNumbers day={hoveredDay} series={series} />}
        />
      )}
    </div>
  )
}

interface DayProps {
  day: Day
  series: readonly Series[]
  /** The count at the top of the axis. */
  max: number
  isLabelled: boolean
}

const DayColumn = memo(function DayColumn({ day, series, max, isLabelled }: DayProps) {
  const listPath = useListPath()
  const thisDay = { from: day.day, to: day.day }
  return (
    <div className={classes.day} data-day={day.day}>
      <Link tabIndex={-1} to={listPath(thisDay)} className={classes.column} />
      {series.toReversed().map(({ count, color, filter }) => (
        <Link
          key={count}
          tabIndex={-1}
          to={listPath({ ...filter, ...thisDay })}
          hidden={day[count] === 0}
          className={classes.segment}
          style={{ height: `${(100 * day[count]) / max}%`, background: color }}
        />
      ))}
      {isLabelled && <span className={classes.dayLabel}>{formatDay(day.day)}</span>}
    </div>
  )
})

function DayNumbers({ day, series }: { day: Day; series: readonly Series[] }) {
  return (
    <>
      <b>{formatUtcDay(day.day)} (UTC)</b>
      {series.map(({ count, label, color }) => (
        <div key={count}>
          <Swatch color={color} />
          {label} {formatNumber(day[count])}
        </div>
      ))}
    </>
  )
}

const roundSteps = [1, 2, 3, 4, 5, 6, 8, 10]

/** The smallest round even number that is not below the value; its half labels the middle of the axis. */
function axisMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = roundSteps.map(step => step * decade).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}
