import { type KeyboardEvent, useState } from 'react'
import type { Day, Series } from './series.tsx'

/** Which link of the chart is its tab stop: the last day's at first, then the one that was focused last. */
export function useRovingFocus(days: readonly Day[], series: readonly Series[]) {
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
