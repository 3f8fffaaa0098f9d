import { memo, type RefObject } from 'react'
import { Link } from 'react-router'
import frame from '../components/chart.module.css'
import { Chart } from '../components/chart.tsx'
import { formatNumber, formatRate, formatShare } from '../components/format-number.ts'
import { axisMax, GridLines } from '../components/grid-lines.tsx'
import { rootFontSize } from '../components/use-width.ts'
import { useTenantPath } from '../session/session-context.ts'
import type { Filters } from '../verifications/filters.ts'
import { approvalRate, type Bin, describeBin, labelBin } from './bins.ts'
import classes from './overview.module.css'
import { listQuery, rateColor, type Series, Swatch } from './series.tsx'

interface Props {
  bins: readonly Bin[]
  /** In the order of a bar's segments, from the bottom. */
  series: readonly Series[]
  /** Of the verifications that a bar leads to, besides its days. */
  filter: Partial<Filters> | undefined
  /** The approval rate as a line above the bars. */
  hasRate: boolean
  /** Of the plot, in pixels; 0 before it is known. */
  width: number
  plot: RefObject<HTMLDivElement | null>
}

/**
 * Counts as stacked bars, which lead to their verifications. The table below has the same numbers and links for the keyboard
 * and for screen readers.
 */
export function BarChart({ bins, series, filter, hasRate, width, plot }: Props) {
  const totals = bins.map(({ counts }) => series.reduce((sum, { count }) => sum + (counts[count] ?? 0), 0))
  const max = axisMax(Math.max(0, ...totals))
  const column = width / bins.length
  const labelEvery = Math.ceil((4.25 * rootFontSize()) / column)
  const describe = (day: string) => {
    const bin = bins.find(({ from }) => from === day)
    return bin && <Numbers bin={bin} series={series} hasRate={hasRate} />
  }
  return (
    <Chart plot={plot} describe={describe}>
      <GridLines max={max} />
      <div className={frame.days}>
        {width > 0 &&
          bins.map((bin, index) => (
            <Bar
              key={bin.from}
              bin={bin}
              series={series}
              filter={filter}
              max={max}
              gap={Math.min(4, Math.max(1, 0.15 * column))}
              label={index % labelEvery === 0 && labelBin(bin, bins[index - labelEvery])}
            />
          ))}
      </div>
      {hasRate && <RatePlot bins={bins} dash={Math.min(0.3, 4 / column)} />}
    </Chart>
  )
}

interface BarProps extends Pick<Props, 'series' | 'filter'> {
  bin: Bin
  /** The count at the top of the axis. */
  max: number
  /** Between two bars, in pixels. */
  gap: number
  label: string | false
}

const Bar = memo(function Bar({ bin, series, filter, max, gap, label }: BarProps) {
  const { from, to, counts, isPartial } = bin
  const path = `/verifications?${listQuery({ ...filter, from, to })}`
  const props = { 'data-day': from, 'data-partial': isPartial, style: { paddingInline: gap / 2 } }
  return (
    <Link to={useTenantPath()(path)} className={classes.day} tabIndex={-1} draggable={false} {...props}>
      {series.map(({ count, color }) => {
        const height = (100 * (counts[count] ?? 0)) / max
        const style = { height: `${height}%`, background: color }
        return height > 0 && <div key={count} className={classes.segment} data-count={count} style={style} />
      })}
      {label && <span className={frame.label}>{label}</span>}
    </Link>
  )
})

/** The approval rate, on an axis that ends at 100%. Bars without decisions interrupt it; `dash` is half of one between them, in bars. */
function RatePlot({ bins, dash }: { bins: readonly Bin[]; dash: number }) {
  const rates = bins.map(({ counts }) => approvalRate(counts))
  const known = rates.filter(rate => rate !== undefined)
  const min = [0.9, 0.8, 0.5, 0].find(start => start <= Math.min(...known)) ?? 0
  const path = rates.map((rate, index) => {
    if (rate === undefined) return ''
    const [before, after] = [rates[index - 1], rates[index + 1]]
    const [x, y] = [index + 0.5, (1 - rate) / (1 - min)]
    if (before !== undefined) return `L${x} ${y}`
    return after === undefined ? `M${x - dash} ${y} H${x + dash}` : `M${x} ${y}`
  })
  return (
    <div className={frame.upper} style={{ stroke: rateColor }}>
      <GridLines min={min} max={1} format={rate => formatShare(rate, 1)} />
      <svg viewBox={`0 0 ${bins.length} 1`} preserveAspectRatio="none" className={frame.lines} aria-hidden>
        <path d={path.join(' ')} strokeWidth={2} />
      </svg>
    </div>
  )
}

function Numbers({ bin, series, hasRate }: Pick<Props, 'series' | 'hasRate'> & { bin: Bin }) {
  const rate = hasRate ? approvalRate(bin.counts) : undefined
  return (
    <>
      <b>{describeBin(bin)} (UTC)</b>
      {series.map(({ count, label, color }) => (
        <div key={count}>
          <Swatch color={color} />
          {label} {formatNumber(bin.counts[count] ?? 0)}
        </div>
      ))}
      {rate !== undefined && <div>Approval rate {formatRate(rate)}</div>}
    </>
  )
}
