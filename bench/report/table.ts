import type { Measurement, RoundResult } from '../measure.ts'
import { quantile } from './quantile.ts'

/** Formats the results of a scenario as a Markdown table: medians, with minimum and maximum in parentheses. */
export function table(measurements: readonly Measurement[]): string {
  const floor = measurements.find(({ target }) => target === 'floor')!.rounds
  const rows = measurements.map(({ target, rounds }) => [
    target,
    spread(rounds, allCpuUs),
    ratio(rounds, floor, allCpuUs),
    spread(rounds, ({ requestsPerSecond }) => requestsPerSecond),
    ratio(rounds, floor, ({ requestsPerSecond }) => requestsPerSecond),
    spread(rounds, ({ cpuUs }) => cpuUs),
    ratio(rounds, floor, ({ cpuUs }) => cpuUs),
    spread(rounds, ({ postgresUs }) => postgresUs),
    spread(rounds, ({ redisUs }) => redisUs),
    median(rounds, ({ p50Ms }) => p50Ms),
    median(rounds, ({ p99Ms }) => p99Ms),
  ])
  return markdown([headings, ...rows])
}

const headings = [
  'target',
  'all CPU µs/request',
  '× floor',
  'requests/s',
  '× floor',
  'its own CPU µs/request',
  '× floor',
  'PostgreSQL CPU µs/request',
  'Redis CPU µs/request',
  'p50 ms',
  'p99 ms',
]

/** Of the server process, PostgreSQL and Redis together. */
function allCpuUs({ cpuUs, postgresUs = 0, redisUs = 0 }: RoundResult): number {
  return cpuUs + postgresUs + redisUs
}

type Metric = (result: RoundResult) => number | undefined

function spread(rounds: RoundResult[], metric: Metric): string {
  const values = rounds.map(metric).filter(value => value !== undefined)
  if (values.length === 0) return '–'
  const [min, middle, max] = [0, 0.5, 1].map(share => short(quantile(values, share)))
  return `${middle} (${min}–${max})`
}

/** Returns the median of the ratios per round: both values of a round were measured under the same conditions. */
function ratio(rounds: RoundResult[], floor: RoundResult[], metric: Metric): string {
  const ratios = rounds.map((result, round) => metric(result)! / metric(floor[round]!)!)
  return quantile(ratios, 0.5).toFixed(2)
}

function median(rounds: RoundResult[], metric: (result: RoundResult) => number): string {
  return quantile(rounds.map(metric), 0.5).toFixed(2)
}

function short(value: number): string {
  return value < 1000 ? value.toFixed(value < 100 ? 1 : 0) : Math.round(value).toLocaleString('en')
}

function markdown([head, ...rows]: string[][]): string {
  const widths = head!.map((_, column) => Math.max(...[head!, ...rows].map(row => row[column]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head!), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
