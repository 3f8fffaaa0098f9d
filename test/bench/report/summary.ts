import type { Measurement, RoundResult } from '../measure.ts'
import { markdown } from './markdown.ts'
import { allCpuUs, type Metric, median, ratio, roundsOf, spread } from './statistics.ts'

export type SummaryRow = string[]

const headings = [
  'scenario',
  'all CPU, µs/request',
  '× floor',
  '× alternative',
  'requests/s',
  '× floor',
  '× alternative',
  'p50 ms',
  '× floor',
]

/** The service's results in a scenario, compared with the floor and the alternative. */
export function summaryRow(
  scenario: string,
  measurements: readonly Measurement[],
  base = 'floor',
): SummaryRow {
  const service = roundsOf(measurements, 'service')!
  const comparisons = (metric: Metric) =>
    [base, 'alternative'].map(target => {
      const rounds = roundsOf(measurements, target)
      return rounds ? ratio(service, rounds, metric) : '–'
    })
  const p50 = ({ p50Ms }: RoundResult) => p50Ms
  return [
    `\`${scenario}\``,
    spread(service, allCpuUs),
    ...comparisons(allCpuUs),
    spread(service, ({ requestsPerSecond }) => requestsPerSecond),
    ...comparisons(({ requestsPerSecond }) => requestsPerSecond),
    median(service, p50),
    comparisons(p50)[0]!,
  ]
}

/** One table of all scenarios. */
export function summary(rows: readonly SummaryRow[]): string {
  return markdown([headings, ...rows])
}
