import type { Measurement, RoundResult } from '../measure.ts'
import { markdown } from './markdown.ts'
import { allCpuUs, median, ratio, roundsOf, spread } from './statistics.ts'

export interface TableOptions {
  /** The target that the others are compared with. */
  base: string
  /** What is counted. */
  unit: string
}

/** Formats the results of a scenario as a Markdown table: medians, with minimum and maximum in parentheses. */
export function table(
  measurements: readonly Measurement[],
  { base, unit }: TableOptions = { base: 'floor', unit: 'request' },
): string {
  const compared = roundsOf(measurements, base)!
  const hasRejected = measurements.some(({ rounds }) => rounds.some(isRejecting))
  const rows = measurements.map(({ target, rounds }) => [
    target,
    spread(rounds, allCpuUs),
    ratio(rounds, compared, allCpuUs),
    spread(rounds, ({ requestsPerSecond }) => requestsPerSecond),
    ratio(rounds, compared, ({ requestsPerSecond }) => requestsPerSecond),
    spread(rounds, ({ cpuUs }) => cpuUs),
    ratio(rounds, compared, ({ cpuUs }) => cpuUs),
    spread(rounds, ({ postgresUs }) => postgresUs),
    spread(rounds, ({ redisUs }) => redisUs),
    median(rounds, ({ p50Ms }) => p50Ms),
    median(rounds, ({ p99Ms }) => p99Ms),
    ...(hasRejected ? [`${median(rounds, ({ rejectedShare }) => rejectedShare * 100)} %`] : []),
  ])
  const headings = [
    'target',
    `all CPU µs/${unit}`,
    `× ${base}`,
    unit === 'delivery' ? 'deliveries/s' : `${unit}s/s`,
    `× ${base}`,
    `its own CPU µs/${unit}`,
    `× ${base}`,
    `PostgreSQL CPU µs/${unit}`,
    `Redis CPU µs/${unit}`,
    'p50 ms',
    'p99 ms',
    ...(hasRejected ? ['rejected'] : []),
  ]
  return markdown([headings, ...rows])
}

function isRejecting({ rejectedShare }: RoundResult): boolean {
  return rejectedShare > 0
}
