import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  memo,
  Suspense,
  useCallback,
  useRef,
  useState,
} from 'react'
import { useHref, useNavigate } from 'react-router'
import { formatNumber } from '../components/format-number.ts'
import { formatUtcDay } from '../components/timestamp.tsx'
import classes from './daily-chart.module.css'
import { formatDay } from './format.ts'
import { useListPath } from './list-links.ts'
import { type Day, type Series, Swatch, totalOf } from './series.tsx'

const TooltipBubble = lazy(() => import('../components/tooltip-bubble.tsx'))

/** In pixels. */
export const chartHeight = 192

const plot = { height: 160, left: 40, top: 8 }

/** A day's label below the chart, with the space around it, in pixels. */
const labelWidth = 64
const barWidthMax = 36

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
  const followLink = useLinkDelegation()
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
        onClick={followLink}
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
        <Suspense>
          <TooltipBubble
            key={activeDay.day}
            target={barTop}
            label={<DayNumbers day={activeDay} series={series} />}
          />
        </Suspense>
      )}
    </div>
  )
}

interface ColumnProps {
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
const DayColumn = memo(function DayColumn({ day, index, series, x, width, max, tabStop }: ColumnProps) {
  const listPath = useListPath()
  const base = useHref('/').replace(/\/$/, '')
  const gap = Math.min(4, width * 0.2)
  const name = formatUtcDay(day.day)
  const link = (segment: number, filter: Series['filter'], label: string) => {
    const path = listPath({ ...filter, from: day.day, to: day.day })
    return {
      href: `${base}${path}`,
      'data-path': path,
      'data-point': `${index}:${segment}`,
      tabIndex: segment === tabStop ? 0 : -1,
      'aria-label': `${name}: ${label}`,
    }
  }
  const yOf = (count: number) => plot.top + plot.height * (1 - count / max)
  let total = 0
  return (
    <g data-day={day.day}>
      <a {...link(-1, {}, describe(day, series))}>
        <rect x={x} y={0} width={width} height={plot.top + plot.height} className={classes.column} />
      </a>
      {series.map(({ count, label, color, filter }, segment) => {
        const from = total
        total += day[count]
        if (day[count] === 0) return null
        const height = yOf(from) - yOf(total)
        return (
          <a key={count} {...link(segment, filter, `${label} ${formatNumber(day[count])}`)}>
            <rect
              x={x + gap / 2}
              y={yOf(total)}
              width={Math.max(1, Math.min(width - gap, barWidthMax))}
              height={Math.max(1, height - (height > 3 ? 1 : 0))}
              rx={1.5}
              fill={color}
              className={classes.segment}
            />
          </a>
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

/** Which link of the chart is its tab stop: the last day's at first, then the one that was focused last. */
function useRovingFocus(days: readonly Day[], series: readonly Series[]) {
  const [focused, setFocused] = useState<{ index: number; segment: number }>()
  const last = { index: days.length - 1, segment: -1 }
  const current = focused && focused.index < days.length ? focused : last
  const hasSegment = ({ index, segment }: typeof current) => {
    const count = series[segment]?.count
    return count !== undefined && (days[index]?.[count] ?? 0) > 0
  }
  const tabStop = current.segment === -1 || hasSegment(current) ? current : { ...current, segment: -1 }
  const targets: Record<string, () => number> = {
    ArrowLeft: () => Math.max(0, tabStop.index - 1),
    ArrowRight: () => Math.min(days.length - 1, tabStop.index + 1),
    Home: () => 0,
    End: () => days.length - 1,
  }
  const segments = [-1, ...series.keys()].filter(
    segment => segment === -1 || hasSegment({ index: tabStop.index, segment }),
  )
  const move = (event: KeyboardEvent<SVGSVGElement>) => {
    const { key, currentTarget } = event
    let { index, segment } = tabStop
    const target = targets[key]
    if (target) {
      index = target()
      if (!hasSegment({ index, segment })) segment = -1
    } else if (key === 'ArrowUp' || key === 'ArrowDown') {
      const next = segments.indexOf(segment) + (key === 'ArrowUp' ? 1 : -1)
      segment = segments[Math.max(0, Math.min(segments.length - 1, next))] ?? -1
    } else {
      return
    }
    event.preventDefault()
    currentTarget.querySelector<SVGAElement>(`[data-point="${index}:${segment}"]`)?.focus()
  }
  const onFocus = ({ target }: { target: EventTarget }) => {
    const [index, segment] = (target as SVGAElement).dataset.point?.split(':').map(Number) ?? []
    if (index !== undefined && segment !== undefined) setFocused({ index, segment })
  }
  return { tabStop, move, onFocus }
}

/** Follows the links of an element within the dashboard. One handler, because a chart can have thousands of links. */
function useLinkDelegation() {
  const navigate = useNavigate()
  return (event: MouseEvent<Element>) => {
    const path = (event.target as Element).closest('a')?.dataset.path
    const opensElsewhere =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (path === undefined || opensElsewhere) return
    event.preventDefault()
    navigate(path)
  }
}

const roundSteps = [1, 2, 3, 4, 5, 6, 8, 10]

/** The smallest round even number that is not below the value; its half labels the middle of the axis. */
function axisMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = roundSteps.map(step => step * decade).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}
