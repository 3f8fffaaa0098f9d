import { formatWeekday } from '../components/dates.ts'
import { formatDuration, formatNumber, formatShare } from '../components/format-number.ts'
import type { Filters } from '../verifications/filters.ts'
import { type DayComparison, formatRates, metrics } from './metrics.ts'

/** What needs a look, and the verifications that it is about. */
export interface Finding {
  text: string
  label: string
  filter: Partial<Filters>
}

/** The most important first. None if nothing is unusual. */
export function findUnusual(day: DayComparison): Finding[] {
  return [...findInRates(day), ...findInAmounts(day)]
}

type Others = Omit<Finding, 'text'>
type RateName = 'approval' | 'opening' | 'submission' | 'decision' | 'adult'
type Count = 'approved' | 'decided' | 'ended' | 'opened' | 'over18' | 'submitted'

const denied: Others = { label: 'Denied verifications', filter: { statuses: ['denied'] } }
const rejected: Others = { label: 'Rejected verifications', filter: { statuses: ['rejected'] } }
const undecided: Others = {
  label: 'Verifications without a decision',
  filter: { statuses: ['submitted', 'resubmission'], state: 'completed' },
}
const minors: Others = { label: 'Approved, under 18', filter: { statuses: ['approved'], over18: 'no' } }

/** The rates that should not be low: what it means, and which verifications are the others. */
const rates: [name: RateName, part: Count, whole: Count, meaning: string, others: Others][] = [
  ['approval', 'approved', 'decided', 'More users than usual are denied', denied],
  ['opening', 'opened', 'ended', 'More users than usual never open the page of the check', rejected],
  ['submission', 'submitted', 'opened', 'More users than usual leave the check before submitting', rejected],
  ['decision', 'decided', 'submitted', 'More submissions than usual end without a decision', undecided],
  ['adult', 'over18', 'approved', 'Fewer approved users than usual are confirmed as 18 or over', minors],
]

function findInRates(day: DayComparison): Finding[] {
  const { usage } = day
  return rates
    .filter(([name]) => day[name].verdict === 'low')
    .map(([name, part, whole, meaning, { label, filter }]) => {
      const others = formatShare(usage[whole] - usage[part], usage[whole])
      const { low, high } = day[name].normal!
      const normal = formatRates({ low: 1 - high, high: 1 - low })
      return {
        text: `${meaning}: ${others}, normal for ${weekdays(day)} is ${normal}.`,
        label,
        filter: { ...filter, from: usage.from, to: usage.to },
      }
    })
}

function findInAmounts(day: DayComparison): Finding[] {
  const { usage, starts, duration } = day
  const days = { from: usage.from, to: usage.to }
  const findings: Finding[] = []
  if (starts.verdict === 'high' || starts.verdict === 'low') {
    const change = starts.verdict === 'high' ? 'More' : 'Fewer'
    const normal = metrics.starts.formatRange(starts.normal!)
    findings.push({
      text: `${change} verifications than usual are started: ${formatNumber(usage.started)}, normal for ${weekdays(day)} is ${normal}.`,
      label: 'Started verifications',
      filter: { ...days, by: 'created' },
    })
  }
  if (duration.verdict === 'high') {
    const normal = metrics.duration.formatRange(duration.normal!)
    findings.push({
      text: `Decisions take longer than usual: ${formatDuration(usage.medianSeconds ?? 0)}, normal for ${weekdays(day)} is ${normal}.`,
      label: 'Decided verifications',
      filter: { statuses: ['approved', 'denied'], ...days },
    })
  }
  return findings
}

/** "Mondays" */
export function weekdays({ usage }: DayComparison): string {
  return `${formatWeekday(usage.from)}s`
}
