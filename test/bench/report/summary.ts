import type { Measurement, RoundResult } from '../measure.ts'
import { markdown } from './markdown.ts'
import { allCpuUs, type Metric, median, ratio, roundsOf, spread } from './statistics.ts'

export type SummaryRow = string[]

const headings = ['scenario', 'all CPU, µs/request', '× floor', 'requests/s', '× floor', 'p50 ms', '× floor']

/** The service's results in a scenario, compared with the floor. */
export function summaryRow(
  scenario: string,
  measurements: readonly Measurement[],
  base = 'floor',
): SummaryRow {
  const service = roundsOf(measurements, 'service')!
  const comparison = (metric: Metric) => ratio(service, roundsOf(measurements, base)!, metric)
  const p50 = ({ p50Ms }: RoundResult) => p50Ms
  return [
    `\`${scenario}\``,
    spread(service, allCpuUs),
    comparison(allCpuUs),
    spread(service, ({ requestsPerSecond }) => requestsPerSecond),
    comparison(({ requestsPerSecond }) => requestsPerSecond),
    median(service, p50),
    comparison(p50),
  ]
}

/** One table of all scenarios. */
export function summary(rows: readonly SummaryRow[]): string {
  return markdown([headings, ...rows])
}
