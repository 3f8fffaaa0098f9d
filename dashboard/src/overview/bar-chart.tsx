import { Tooltip } from '@mantine/core'
import { useClickOutside, useMergedRef } from '@mantine/hooks'
import { type MouseEvent, memo, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { useHref, useNavigate } from 'react-router'
import { rootFontSize } from '../components/data-table.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { useTenantPath } from '../session/session-context.ts'
import { approvalRate, type Bin, describeBin, labelBin } from './bins.ts'
import classes from './overview.module.css'
import { listQuery, rateColor, type Series, Swatch } from './series.tsx'

interface Props {
  bins: readonly Bin[]
  /** In the order of a bar's segments, from the bottom. */
  series: readonly Series[]
  /** The approval rate as a line. */
  hasRate: boolean
  /** Of the plot, in pixels; 0 before it is known. */
  width: number
  plot: RefObject<HTMLDivElement | null>
}

/**
 * Counts as stacked bars, in which each bar and each of its segments links to its verifications. It is for the pointer only: the
 * table below it has the same numbers and links for the keyboard and for screen readers. Where a finger opens a link, the first
 * tap shows the numbers, and the second opens it.
 */
export function BarChart({ bins, series, hasRate, width, plot }: Props) {
  const [shown, setShown] = useState<HTMLElement | null>(null)
  const isTouch = useRef(false)
  const chart = useMergedRef(
    useClickOutside<HTMLDivElement>(() => setShown(null)),
    plot,
  )
  const list = useTenantPath()('/verifications')
  const href = useHref(list)
  const navigate = useNavigate()
  const show = ({ target, pointerType }: PointerEvent) => {
    isTouch.current = pointerType === 'touch'
    if (!isTouch.current) setShown(findBar(target))
  }
  // One handler for all links: a router's link for each segment takes most of the time that the chart needs.
  const open = (event: MouseEvent) => {
    const link = (event.target as HTMLElement).closest('a')
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (isTouch.current && findBar(link) !== shown) setShown(findBar(link))
    else navigate(`${list}${link.search}`)
  }
  const totals = bins.map(({ counts }) => series.reduce((sum, { count }) => sum + (counts[count] ?? 0), 0))
  const highest = Math.max(0, ...totals)
  const max = axisMax(highest)
  const column = width / bins.length
  const labelWidth = 4.25 * rootFontSize()
  const labelEvery = Math.ceil(labelWidth / column)
  const shownBin = bins.find(({ from }) => from === shown?.dataset.day)
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
          {hasRate && highest > 0 && <span className={classes.rateLabel}>{formatShare(height, 1)}</span>}
        </div>
      ))}
      {highest === 0 && <div className={classes.empty}>No results in this period</div>}
      <div className={classes.days} onPointerOver={show} onClickCapture={open}>
        {width > 0 &&
          bins.map((bin, index) => (
            <Bar
              key={bin.from}
              bin={bin}
              series={series}
              max={max}
              gap={Math.min(4, Math.max(1, 0.15 * column))}
              list={href}
              isLabelled={index % labelEvery === 0}
            />
          ))}
      </div>
      {hasRate && <RateLine bins={bins} dash={Math.min(0.3, 32 / column)} />}
      {shownBin && (
        <Tooltip
          key={shownBin.from}
          opened
          target={shown}
          label={<Numbers bin={shownBin} series={series} hasRate={hasRate} isTouch={isTouch.current} />}
        />
      )}
    </div>
  )
}

function findBar(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest('[data-day]')
}

interface BarProps {
  bin: Bin
  series: readonly Series[]
  /** The count at the top of the axis. */
  max: number
  /** Between two bars, in pixels. */
  gap: number
  /** The URL of the list of verifications. */
  list: string
  isLabelled: boolean
}

const Bar = memo(function Bar({ bin, series, max, gap, list, isLabelled }: BarProps) {
  const { from, to, counts, isPartial } = bin
  const days = { from, to }
  return (
    <div className={classes.day} data-day={from} data-partial={isPartial} style={{ paddingInline: gap / 2 }}>
      <a tabIndex={-1} href={`${list}?${listQuery(days)}`} className={classes.column}>
        {' '}
      </a>
      {series.toReversed().map(
        ({ count, color, filter }) =>
          (counts[count] ?? 0) > 0 && (
            <a
              key={count}
              tabIndex={-1}
              href={`${list}?${listQuery({ ...filter, ...days })}`}
              className={classes.segment}
              style={{ height: `${(100 * counts[count]!) / max}%`, background: color }}
            >
              {' '}
            </a>
          ),
      )}
      {isLabelled && <span className={classes.dayLabel}>{labelBin(bin)}</span>}
    </div>
  )
})

interface LineProps {
  bins: readonly Bin[]
  /** Half the length of what is drawn for a rate between bars without one, in bars. */
  dash: number
}

/** The approval rate from 0% to 100%. Bars without decisions interrupt it. */
function RateLine({ bins, dash }: LineProps) {
  const rates = bins.map(({ counts }) => approvalRate(counts))
  const path = rates.map((rate, index) => {
    if (rate === undefined) return ''
    const [before, after] = [rates[index - 1], rates[index + 1]]
    const [x, y] = [index + 0.5, 1 - rate]
    if (before !== undefined) return `L${x} ${y}`
    return after === undefined ? `M${x - dash} ${y} H${x + dash}` : `M${x} ${y}`
  })
  return (
    <svg
      className={classes.rateLine}
      viewBox={`0 0 ${bins.length} 1`}
      preserveAspectRatio="none"
      stroke={rateColor}
      aria-hidden
    >
      <path d={path.join(' ')} />
    </svg>
  )
}

interface NumbersProps extends Pick<Props, 'series' | 'hasRate'> {
  bin: Bin
  isTouch: boolean
}

function Numbers({ bin, series, hasRate, isTouch }: NumbersProps) {
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
      {rate !== undefined && <div>Approval rate {formatShare(rate, 1)}</div>}
      {isTouch && <div>Tap again for the list.</div>}
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
