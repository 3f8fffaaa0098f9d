import { Tooltip } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import { formatNumber } from '../components/format-number.ts'
import { formatUtcDay } from '../components/timestamp.tsx'
import classes from './daily-chart.module.css'
import { DayColumn, plot } from './day-column.tsx'
import { formatDay } from './format.ts'
import { type Day, type Series, Swatch, totalOf } from './series.tsx'
import { useRovingFocus } from './use-roving-focus.ts'

/** In pixels. */
export const chartHeight = 192

/** A day's label below the chart, with the space around it, in pixels. */
const labelWidth = 64

interface Props {
  label: string
  days: readonly Day[]
  series: readonly Series[]
}

/**
 * A stacked bar chart by day. Each day and each of its segments links to its verifications. The chart is one tab
 * stop, within which the arrow keys move: left and right between days, up and down between a day's segments.
 */
export function DailyChart({ label, days, series }: Props) {
  const { ref, width } = useWidth()
  const [hovered, setHovered] = useState<string>()
  const [focused, setFocused] = useState<string>()
  const [isTooltipHidden, setTooltipHidden] = useState(false)
  const { move, tabStop, onFocus } = useRovingFocus(days, series)
  /** Of the active day: where its tooltip is. */
  const barTop = useRef<HTMLDivElement>(null)
  const highest = Math.max(0, ...days.map(day => totalOf(day, series)))
  const max = axisMax(highest)
  const step = Math.max(0, width - plot.left) / Math.max(1, days.length)
  const yOf = (count: number) => plot.top + plot.height * (1 - count / max)
  const labelEvery = Math.max(1, Math.ceil(labelWidth / Math.max(1, step)))
  // A pointer that rests over the chart while it scrolls does not take the tooltip from the keyboard.
  const activeIndex = days.findIndex(({ day }) => day === (focused ?? hovered))
  const activeDay = days[activeIndex]
  return (
    <div ref={ref} className={classes.root}>
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset. */}
      <svg
        role="group"
        aria-label={label}
        width={width}
        height={chartHeight}
        className={classes.chart}
        onPointerOver={event => {
          setHovered(dayOf(event.target))
          setTooltipHidden(false)
        }}
        onPointerLeave={() => setHovered(undefined)}
        onFocus={event => {
          if (event.target.matches(':focus-visible')) setFocused(dayOf(event.target))
          setTooltipHidden(false)
          onFocus(event)
        }}
        onBlur={() => setFocused(undefined)}
        onKeyDown={event => {
          if (event.key === 'Escape') setTooltipHidden(true)
          else move(event)
        }}
      >
        {[0, max / 2, max].map(count => (
          <g key={count} aria-hidden>
            <line x1={plot.left} x2={width} y1={yOf(count)} y2={yOf(count)} className={classes.grid} />
            <text x={plot.left - 8} y={yOf(count) + 4} textAnchor="end" className={classes.label}>
              {formatNumber(count)}
            </text>
          </g>
        ))}
        {highest === 0 && (
          <text x={width / 2} y={yOf(max / 2) - 12} textAnchor="middle" className={classes.empty}>
            No results in this period
          </text>
        )}
        {days.map((day, index) => (
          <DayColumn
            key={day.day}
            day={day}
            index={index}
            series={series}
            x={plot.left + index * step}
            width={step}
            max={max}
            tabStop={tabStop.index === index ? tabStop.segment : undefined}
          />
        ))}
        {days.map(({ day }, index) => {
          const x = plot.left + index * step
          if (index % labelEvery !== 0 || x + labelWidth * 0.75 >= width) return null
          return (
            <text key={day} aria-hidden x={x + 2} y={plot.top + plot.height + 18} className={classes.label}>
              {formatDay(day)}
            </text>
          )
        })}
      </svg>
      {activeDay && (
        <div
          ref={barTop}
          className={classes.barTop}
          style={{
            left: plot.left + activeIndex * step,
            top: yOf(totalOf(activeDay, series)),
            width: step,
          }}
        />
      )}
      {activeDay && !isTooltipHidden && (
        <Tooltip
          key={activeDay.day}
          opened
          target={barTop}
          label={<DayNumbers day={activeDay} series={series} />}
        />
      )}
    </div>
  )
}

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

/** Of an element within a day's column. */
function dayOf(element: EventTarget): string | undefined {
  return (element as Element).closest<SVGElement>('[data-day]')?.dataset.day
}

/** The width of an element in pixels, known before the first paint. */
function useWidth() {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLDivElement | null) => {
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

const roundSteps = [1, 2, 3, 4, 5, 6, 8, 10]

/** The smallest round even number that is not below the value; its half labels the middle of the axis. */
function axisMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = roundSteps.map(step => step * decade).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}
