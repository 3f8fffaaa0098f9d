import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { formatNumber } from '../../numbers/format-number.ts'
import { ChartLegend } from './chart-legend.tsx'
import classes from './daily-chart.module.css'
import { DayBar } from './day-bar.tsx'
import { formatDay } from './format-day.ts'
import { completedOn, type Day, sumOf } from './outcomes.ts'
import { scaleMax } from './scale.ts'

/** In pixels, with the legend. */
export const chartHeight = 236

const plot = { height: 160, left: 40, top: 8, bottom: 24 }

/** A stacked bar per day. Pointing at one shows its numbers in the legend; all of them are in the table. */
export function DailyChart({ days }: { days: readonly Day[] }) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [pointed, setPointed] = useState<Day>()
  const most = Math.max(0, ...days.map(completedOn))
  const max = scaleMax(most)
  const step = Math.max(0, width - plot.left) / Math.max(1, days.length)
  const yOf = (count: number) => plot.top + plot.height * (1 - count / max)
  const labelEvery = Math.max(1, Math.ceil(labelWidth / Math.max(1, step)))
  return (
    <div className={classes.root} style={{ minHeight: chartHeight }}>
      <ChartLegend
        caption={pointed ? formatDay(pointed.day) : 'All days'}
        days={pointed ? [pointed] : days}
      />
      <div ref={ref}>
        <svg
          role="img"
          aria-label={`Bar chart of ${formatNumber(sumOf(days, 'approved'))} approved and other results per day. The same numbers are in the table below.`}
          width={width}
          height={plot.top + plot.height + plot.bottom}
          className={classes.chart}
          onPointerLeave={() => setPointed(undefined)}
        >
          {[0, max / 2, max].map(count => (
            <g key={count}>
              <line x1={plot.left} x2={width} y1={yOf(count)} y2={yOf(count)} className={classes.grid} />
              <text x={plot.left - 8} y={yOf(count) + 4} textAnchor="end" className={classes.label}>
                {formatNumber(count)}
              </text>
            </g>
          ))}
          {most === 0 && (
            <text x={width / 2} y={yOf(max / 2) - 12} textAnchor="middle" className={classes.empty}>
              No results in these days
            </text>
          )}
          {days.map((day, index) => (
            <g key={day.day} onPointerEnter={() => setPointed(day)}>
              <rect
                x={plot.left + index * step}
                y={0}
                width={step}
                height={plot.top + plot.height}
                className={classes.target}
              />
              <DayBar day={day} x={plot.left + index * step} width={step} yOf={yOf} />
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

/** What a day's name takes up below the chart, with space around it, in pixels. */
const labelWidth = 64
