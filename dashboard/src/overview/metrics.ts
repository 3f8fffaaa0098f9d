import { formatNumber, formatRate } from '../components/format-number.ts'
import type { Outputs } from '../trpc/trpc.ts'

export type DayComparison = Outputs['usage']['compare']
type Usage = DayComparison['usage']
export type Count = 'approved' | 'decided' | 'ended' | 'opened' | 'over18' | 'submitted'
type Range = NonNullable<DayComparison['approval']['normal']>

/** A number of a day or of a period. What each is, is in docs/dashboard.md. */
export interface Metric {
  label: string
  isRate: boolean
  /** Null where there is none. */
  of: (usage: Usage) => number | null
  /** What it is of. */
  basis: (usage: Usage) => string
  format: (value: number) => string
  /** What is normal, as "87.6–93.9%". */
  formatRange: (range: Range) => string
}

/** By their names in the comparison of a day with those before. */
export const metrics = {
  starts: {
    label: 'Started',
    isRate: false,
    of: ({ started }) => started,
    basis: () => 'verifications',
    format: formatNumber,
    formatRange: ({ low, high }) => `${formatNumber(Math.ceil(low))}–${formatNumber(Math.floor(high))}`,
  },
  approval: rate('Approval rate', 'approved', 'decided'),
  adult: rate('18+ rate', 'over18', 'approved'),
  completion: rate('Completion rate', 'decided', 'ended'),
} satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

export const metricNames = Object.keys(metrics) as MetricName[]

function rate(label: string, part: Count, whole: Count): Metric {
  return {
    label,
    isRate: true,
    of: usage => (usage[whole] === 0 ? null : usage[part] / usage[whole]),
    basis: usage => `${formatNumber(usage[part])} of ${formatNumber(usage[whole])} ${whole}`,
    format: formatRate,
    formatRange: formatRates,
  }
}

export function formatRates({ low, high }: Range): string {
  return `${formatRate(low).slice(0, -1)}–${formatRate(high)}`
}
