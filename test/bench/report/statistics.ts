import type { Measurement, RoundResult } from '../measure.ts'
import { quantile } from './quantile.ts'

export type Metric = (result: RoundResult) => number | undefined

/** CPU time of the server process, PostgreSQL and Redis together: microseconds per request. */
export function allCpuUs({ cpuUs, postgresUs = 0, redisUs = 0 }: RoundResult): number {
  return cpuUs + postgresUs + redisUs
}

/** The median, with minimum and maximum in parentheses. */
export function spread(rounds: readonly RoundResult[], metric: Metric): string {
  const values = rounds.map(metric).filter(value => value !== undefined)
  if (values.length === 0) return '–'
  const [min, middle, max] = [0, 0.5, 1].map(share => short(quantile(values, share)))
  return `${middle} (${min}–${max})`
}

/** The median of the ratios per round: both values of a round were measured under the same conditions. */
export function ratio(rounds: readonly RoundResult[], base: readonly RoundResult[], metric: Metric): string {
  const ratios = rounds.map((result, round) => metric(result)! / metric(base[round]!)!)
  const middle = quantile(ratios, 0.5)
  return Number.isNaN(middle) ? '–' : middle.toFixed(2)
}

export function median(rounds: readonly RoundResult[], metric: Metric): string {
  const values = rounds.map(metric).filter(value => value !== undefined)
  return values.length === 0 ? '–' : quantile(values, 0.5).toFixed(2)
}

export function roundsOf(measurements: readonly Measurement[], target: string): RoundResult[] | undefined {
  return measurements.find(measured => measured.target === target)?.rounds
}

/** Three digits, or a whole number. */
export function short(value: number): string {
  return value < 1000 ? value.toFixed(value < 100 ? 1 : 0) : Math.round(value).toLocaleString('en')
}
