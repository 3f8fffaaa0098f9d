import { formatDay, formatMonth, formatShortDays, formatShortMonth, formatUtcDay } from '../components/dates.ts'
import { addDays, beginningOf, type Days } from '../components/periods.ts'

export type Unit = 'day' | 'week' | 'month'

/** The days that one bar stands for. */
export interface Bin extends Days {
  unit: Unit
  /** The first day of the whole unit. */
  beginning: string
  /** It has a part of its unit only: the range begins or ends within it, or today is one of its days. */
  isPartial: boolean
  isToday: boolean
  counts: Record<string, number>
}

/** Counts of a UTC day. */
export interface DayCounts {
  day: string
  counts: Record<string, number>
}

/** Of a bar and the space beside it, in pixels: a bar has 6 of them at least. */
const columnMin = 7

const daysMax = 89
const weeksMax = 40

/** How long a bar is, so that all of them are wide enough to be seen and hit. */
export function chooseUnit(days: number, width: number): Unit {
  const weeks = Math.ceil(days / 7) + 1
  if (days <= daysMax && days * columnMin <= width) return 'day'
  return weeks <= weeksMax + 1 && weeks * columnMin <= width ? 'week' : 'month'
}

/** Each bar's days, which are whole weeks or months but for the first one and the last one. */
export function toBins(days: readonly DayCounts[], unit: Unit, today: string): Bin[] {
  const beginning = (day: string) => (unit === 'day' ? day : beginningOf(unit, day))
  return [...Map.groupBy(days, ({ day }) => beginning(day))].map(([beginning, days]) => {
    const [from, to] = [days[0]!.day, days.at(-1)!.day]
    const end = unit === 'day' ? to : addDays(beginningOf(unit, beginning, -1), -1)
    const isPartial = from !== beginning || to !== end || to === today
    return { from, to, unit, beginning, isPartial, isToday: to === today, counts: sumCounts(days) }
  })
}

export function sumCounts(days: readonly { counts: Record<string, number> }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { counts } of days) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

/** "Week of Nov 16", and which of its days where they are not all: "Week of Nov 23: Nov 23 – 26 so far". */
export function describeBin({ unit, beginning, from, to, isPartial, isToday }: Bin): string {
  const soFar = isToday ? ' so far' : ''
  if (unit === 'day') return `${formatUtcDay(from)}${soFar}`
  const name = unit === 'week' ? `Week of ${formatDay(beginning)}` : formatMonth(beginning)
  return isPartial ? `${name}: ${formatShortDays({ from, to })}${soFar || ' only'}` : name
}

/** Below a bar. A month has its year if that of the label before is another one. */
export function labelBin({ unit, from }: Bin, before: Bin | undefined): string {
  if (unit !== 'month') return formatDay(from)
  const month = formatShortMonth(from)
  return before?.from.slice(0, 4) === from.slice(0, 4) ? month.replace(/\s?\d{4}/, '') : month
}

/** What a bar is, and which of them have less than that. */
export function describeBars(bins: readonly Bin[]): string {
  const unit = bins[0]?.unit ?? 'day'
  if (unit === 'day') return bins.at(-1)?.isToday ? 'Today is not over.' : ''
  const partial = bins.filter(({ isPartial }) => isPartial).map(describeBin)
  return `${[`Each bar is a ${unit === 'week' ? 'week from Monday on' : 'month'}`, ...partial].join('. ')}.`
}

/** Of the decided ones; undefined where there are none. */
export function approvalRate({ approved = 0, denied = 0 }: Bin['counts']): number | undefined {
  return approved + denied === 0 ? undefined : approved / (approved + denied)
}
