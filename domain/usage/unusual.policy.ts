/** A part of a whole, such as the approved ones of those that were decided. */
export interface Rate {
  part: number
  whole: number
}

/** What was normal, and where a value is. `unknown` if there is too little to compare. */
export interface Comparison {
  /** The lowest and the highest normal value. */
  normal: { low: number; high: number } | null
  verdict: 'normal' | 'low' | 'high' | 'unknown'
}

/** Results that a day needs for its rates to be compared. */
export const resultsMin = 20

const earlierResultsMin = 50
const deviations = 3
const pointsMin = 0.02

/**
 * Whether a day's rate is unusual: further from the rate of the days before than three standard deviations of a sample of
 * its size, and than two points. With two deviations, a normal day of six rates would be unusual once in four days.
 */
export function compareRate(day: Rate, before: readonly Rate[]): Comparison {
  const earlier = { part: sum(before.map(({ part }) => part)), whole: sum(before.map(({ whole }) => whole)) }
  if (day.whole < resultsMin || earlier.whole < earlierResultsMin) return unknown
  const mean = earlier.part / earlier.whole
  // Of a rate that has never been other than 0% or 100%, as if one result had been different.
  const spread = (earlier.part + 1) / (earlier.whole + 2)
  const deviation = Math.sqrt(spread * (1 - spread) * (1 / day.whole + 1 / earlier.whole))
  const distance = Math.max(deviations * deviation, pointsMin)
  const normal = { low: Math.max(0, mean - distance), high: Math.min(1, mean + distance) }
  return compared(day.part / day.whole, normal)
}

const daysMin = 2
const factor = 1.5

/**
 * Whether a day's number is unusual: more than half above the highest of the days before, or less than two
 * thirds of the lowest.
 */
export function compareAmount(day: number, before: readonly number[]): Comparison {
  if (before.length < daysMin) return unknown
  return compared(day, { low: Math.min(...before) / factor, high: Math.max(...before) * factor })
}

const unknown: Comparison = { normal: null, verdict: 'unknown' }

function compared(value: number, normal: { low: number; high: number }): Comparison {
  return { normal, verdict: value < normal.low ? 'low' : value > normal.high ? 'high' : 'normal' }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
