import { useCallback, useState } from 'react'
import { formatNumber } from '../components/format-number.ts'
import classes from './daily-chart.module.css'
import { type Day, outcomes, outcomesOf, sumOf } from './daily-outcomes.ts'

/** With the legend, in pixels. */
export const chartHeight = { wide: 236, narrow: 258 }

const plot = { height: 160, left: 40, top: 8, bottom: 24 }

/** A day's label below the chart, with the space around it, in pixels. */
const labelWidth = 64
const barWidthMax = 36

/** A stacked bar chart by day. Hovering over a day shows its numbers in the legend; a table has all of them. */
export function DailyChart({ days }: { days: readonly Day[] }) {
  const { ref, width } = useWidth()
  const [hovered, setHovered] = useState<Day>()
  const highest = Math.max(0, ...days.map(outcomesOf))
  const max = axisMax(highest)
  const step = Math.max(0, width - plot.left) / Math.max(1, days.length)
  const yOf = (count: number) => plot.top + plot.height * (1 - count / max)
  const labelEvery = Math.max(1, Math.ceil(labelWidth / Math.max(1, step)))
  return (
    <div className={classes.root}>
      <Legend caption={hovered ? formatDay(hovered.day) : 'All days'} days={hovered ? [hovered] : days} />
      <div ref={ref}>
        <svg
          role="img"
          aria-label={`Bar chart of verification results per day, ${formatNumber(sumOf(days, 'approved'))} of them approved. The table below contains the same data.`}
          width={width}
          height={plot.top + plot.height + plot.bottom}
          className={classes.chart}
          onPointerLeave={() => setHovered(undefined)}
        >
          {[0, max / 2, max].map(count => (
            <g key={count}>
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
            <g key={day.day} onPointerEnter={() => setHovered(day)}>
              <rect
                x={plot.left + index * step}
                y={0}
                width={step}
                height={plot.top + plot.height}
                className={classes.column}
              />
              <Bar day={day} x={plot.left + index * step} width={step} yOf={yOf} />
              {index % labelEvery === 0 && plot.left + index * step + labelWidth * 0.75 < width && (
                <text
                  x={plot.left + index * step + 2}
                  y={plot.top + plot.height + 18}
                  className={classes.label}
                >
                  {formatDay(day.day)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </div>
  )
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

function Legend({ caption, days }: { caption: string; days: readonly Day[] }) {
  return (
    <div className={classes.legend}>
      <strong className={classes.caption}>{caption}</strong>
      <ul className={classes.outcomes}>
        {outcomes.map(({ outcome, label, color }) => (
          <li key={outcome}>
            <span className={classes.swatch} style={{ background: color }} />
            {label} <b>{formatNumber(sumOf(days, outcome))}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface BarProps {
  day: Day
  x: number
  width: number
  yOf: (count: number) => number
}

/** The segments are a pixel apart, so that they are distinguishable without colour vision. */
function Bar({ day, x, width, yOf }: BarProps) {
  const gap = Math.min(4, width * 0.2)
  let total = 0
  return outcomes.map(({ outcome, color }) => {
    const from = total
    total += day[outcome]
    if (day[outcome] === 0) return null
    const height = yOf(from) - yOf(total)
    return (
      <rect
        key={outcome}
        x={x + gap / 2}
        y={yOf(total)}
        width={Math.max(1, Math.min(width - gap, barWidthMax))}
        height={Math.max(1, height - (height > 3 ? 1 : 0))}
        rx={1.5}
        fill={color}
      />
    )
  })
}

const roundSteps = [1, 2, 3, 4, 5, 6, 8, 10]

/** The smallest round even number that is not below the value; its half labels the middle of the axis. */
function axisMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = roundSteps.map(step => step * decade).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A UTC day, YYYY-MM-DD, as 20 Nov. */
function formatDay(day: string): string {
  return shortDay.format(new Date(`${day}T00:00:00Z`))
}
