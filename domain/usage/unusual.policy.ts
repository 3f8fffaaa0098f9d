/** A part of a whole, such as the approved ones of those that were decided. */
export interface Rate {
  part: number
  whole: number
}

/** A day's value beside the lowest and the highest normal one. */
export interface Comparison {
  value: number
  low: number
  high: number
}

/** Results that a day needs for its rates to be compared. */
export const resultsMin = 20

const earlierResultsMin = 50
const deviations = 3
const pointsMin = 0.02

/**
 * A rate is normal up to three standard deviations of a sample of its size from the rate of the days before, and at least
 * up to two points. With two deviations, a normal day of six rates would be unusual once in four days. Returns undefined if
 * there is too little to compare.
 */
export function compareRate(day: Rate, before: readonly Rate[]): Comparison | undefined {
  const earlier = { part: sum(before.map(({ part }) => part)), whole: sum(before.map(({ whole }) => whole)) }
  if (day.whole < resultsMin || earlier.whole < earlierResultsMin) return undefined
  const mean = earlier.part / earlier.whole
  // Of a rate that has never been other than 0% or 100%, as if one result had been different.
  const spread = (earlier.part + 1) / (earlier.whole + 2)
  const deviation = Math.sqrt(spread * (1 - spread) * (1 / day.whole + 1 / earlier.whole))
  const distance = Math.max(deviations * deviation, pointsMin)
  return {
    value: day.part / day.whole,
    low: Math.max(0, mean - distance),
    high: Math.min(1, mean + distance),
  }
}

const daysMin = 2
const factor = 1.5

/**
 * A number is normal up to half above the highest of the days before, and down to two thirds of the lowest. Returns undefined
 * if there are too few days to compare.
 */
export function compareAmount(value: number, before: readonly number[]): Comparison | undefined {
  if (before.length < daysMin) return undefined
  return { value, low: Math.min(...before) / factor, high: Math.max(...before) * factor }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
