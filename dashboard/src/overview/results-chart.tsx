import { Tooltip } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type MouseEvent, memo, type PointerEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Day } from '../billing/quota.ts'
import { formatDay, formatUtcDay } from '../components/dates.ts'
import { formatNumber, formatShare } from '../components/format-number.ts'
import classes from './overview.module.css'
import { rateColor, resultSeries, Swatch, useListPath } from './series.tsx'

const dayLabelsMax = 5

/**
 * The results of each day as a stacked bar, in which each day and each of its segments links to its verifications, and
 * the approval rate as a line. It is for the pointer only: the table below it has the same numbers and links for the
 * keyboard and for screen readers. Where a finger opens a link, the first tap shows the numbers, and the second opens it.
 */
export function ResultsChart({ days }: { days: readonly Day[] }) {
  const [shown, setShown] = useState<HTMLElement | null>(null)
  const isTouch = useRef(false)
  const chart = useClickOutside<HTMLDivElement>(() => setShown(null))
  const show = ({ target, pointerType }: PointerEvent) => {
    isTouch.current = pointerType === 'touch'
    if (!isTouch.current) setShown(findDay(target))
  }
  const showFirst = (event: MouseEvent) => {
    if (!isTouch.current || findDay(event.target) === shown) return
    event.preventDefault()
    setShown(findDay(event.target))
  }
  const highest = Math.max(0, ...days.map(countResults))
  const max = axisMax(highest)
  const labelEvery = Math.ceil(days.length / dayLabelsMax)
  const shownDay = days.find(({ day }) => day === shown?.dataset.day)
  return (
    <div
      className={classes.chart}
      aria-hidden
      ref={chart}
      onPointerLeave={() => isTouch.current || setShown(null)}
    >
      {[0, 1 / 2, 1].map(height => (
        <div key={height} className={classes.gridLine} style={{ bottom: `${100 * height}%` }}>
          <span>{formatNumber(max * height)}</span>
          {highest > 0 && <span className={classes.rateLabel}>{formatShare(height, 1)}</span>}
        </div>
      ))}
      {highest === 0 && <div className={classes.empty}>No results in this period</div>}
      <div className={classes.days} onPointerOver={show} onClickCapture={showFirst}>
        {days.map((day, index) => (
          <DayColumn
            key={day.day}
            day={day}
            max={max}
            isLabelled={index % labelEvery === 0 && index <= days.length - labelEvery}
          />
        ))}
      </div>
      <RateLine days={days} />
      {shownDay && (
        <Tooltip
          key={shownDay.day}
          opened
          target={shown}
          label={<DayNumbers day={shownDay} isTouch={isTouch.current} />}
        />
      )}
    </div>
  )
}

function findDay(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest('[data-day]')
}

interface DayProps {
  day: Day
  /** The count at the top of the axis. */
  max: number
  isLabelled: boolean
}

const DayColumn = memo(function DayColumn({ day, max, isLabelled }: DayProps) {
  const listPath = useListPath()
  const thisDay = { from: day.day, to: day.day }
  return (
    <div className={classes.day} data-day={day.day}>
      <Link tabIndex={-1} to={listPath(thisDay)} className={classes.column} />
      {resultSeries.toReversed().map(({ count, color, filter }) => (
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

/** The approval rate from 0% to 100%. Days without decisions interrupt it; one between such days is a dot. */
function RateLine({ days }: { days: readonly Day[] }) {
  const path = days.map(({ approved, denied }, index) => {
    const decided = approved + denied
    if (decided === 0) return ''
    const before = days[index - 1]
    const isFirst = !before || before.approved + before.denied === 0
    const place = `${index + 0.5} ${1 - approved / decided}`
    return isFirst ? `M${place} l0 0` : `L${place}`
  })
  return (
    <svg
      className={classes.rateLine}
      viewBox={`0 0 ${days.length} 1`}
      preserveAspectRatio="none"
      stroke={rateColor}
      aria-hidden
    >
      <path d={path.join(' ')} />
    </svg>
  )
}

function DayNumbers({ day, isTouch }: { day: Day; isTouch: boolean }) {
  const { approved, denied } = day
  return (
    <>
      <b>{formatUtcDay(day.day)} (UTC)</b>
      {resultSeries.map(({ count, label, color }) => (
        <div key={count}>
          <Swatch color={color} />
          {label} {formatNumber(day[count])}
        </div>
      ))}
      {approved + denied > 0 && <div>Approval rate {formatShare(approved, approved + denied)}</div>}
      {isTouch && <div>Tap again for the list.</div>}
    </>
  )
}

function countResults(day: Day): number {
  return resultSeries.reduce((sum, { count }) => sum + day[count], 0)
}

const roundSteps = [1, 2, 3, 4, 5, 6, 8, 10]

/** The smallest round even number that is not below the value; its half labels the middle of the axis. */
function axisMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = roundSteps.map(step => step * decade).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}
