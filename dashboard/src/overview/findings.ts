import { formatWeekday } from '../components/dates.ts'
import { formatDuration, formatNumber, formatRate } from '../components/format-number.ts'
import type { Days } from '../components/periods.ts'
import type { Filters } from '../verifications/filters.ts'
import { type DayComparison, formatRates, metrics } from './metrics.ts'
import { listQuery } from './series.tsx'

/** What needs a look, and a link to the verifications that it is about, or to their numbers if no filter selects them. */
export interface Finding {
  text: string
  label: string
  /** Below the tenant's path. */
  to: string
}

/** The most important first. None if nothing is unusual. */
export function findUnusual(day: DayComparison): Finding[] {
  return [...findInRates(day), ...findInAmounts(day)]
}

type Others = { label: string; target: Partial<Filters> | 'losses' | 'results' }
type RateName = 'approval' | 'opening' | 'submission' | 'decision' | 'adult'
type Count = 'approved' | 'decided' | 'ended' | 'opened' | 'over18' | 'submitted'

const denied: Others = { label: 'Denied verifications', target: { statuses: ['denied'] } }
const losses: Others = { label: 'Where users give up', target: 'losses' }
const undecided: Others = {
  label: 'Verifications without a decision',
  target: { statuses: ['submitted', 'resubmission'], state: 'completed' },
}
const ages: Others = { label: 'Age of the approved', target: 'results' }

/** The rates that should not be low: what it means, and which verifications are the others. */
const rates: [name: RateName, part: Count, whole: Count, meaning: string, others: Others][] = [
  ['approval', 'approved', 'decided', 'More users than usual are denied', denied],
  ['opening', 'opened', 'ended', 'More users than usual never open the page of the check', losses],
  ['submission', 'submitted', 'opened', 'More users than usual leave the check before submitting', losses],
  ['decision', 'decided', 'submitted', 'More submissions than usual end without a decision', undecided],
  ['adult', 'over18', 'approved', 'Fewer approved users than usual are confirmed as 18 or over', ages],
]

function findInRates(day: DayComparison): Finding[] {
  const { usage } = day
  return rates
    .filter(([name]) => day[name].verdict === 'low')
    .map(([name, part, whole, meaning, { label, target }]) => {
      const others = formatRate(1 - usage[part] / usage[whole])
      const { low, high } = day[name].normal!
      const normal = formatRates({ low: 1 - high, high: 1 - low })
      return {
        text: `${meaning}: ${others}, normal for ${weekdays(day)} is ${normal}.`,
        label,
        to: toPath(usage, target),
      }
    })
}

function findInAmounts(day: DayComparison): Finding[] {
  const { usage, starts, duration } = day
  const findings: Finding[] = []
  if (starts.verdict === 'high' || starts.verdict === 'low') {
    const change = starts.verdict === 'high' ? 'More' : 'Fewer'
    const normal = metrics.starts.formatRange(starts.normal!)
    findings.push({
      text: `${change} verifications than usual are started: ${formatNumber(usage.started)}, normal for ${weekdays(day)} is ${normal}.`,
      label: 'Started verifications',
      to: toPath(usage, { by: 'created' }),
    })
  }
  if (duration.verdict === 'high') {
    const normal = metrics.duration.formatRange(duration.normal!)
    findings.push({
      text: `Decisions take longer than usual: ${formatDuration(usage.medianSeconds ?? 0)}, normal for ${weekdays(day)} is ${normal}.`,
      label: 'Decided verifications',
      to: toPath(usage, { statuses: ['approved', 'denied'] }),
    })
  }
  return findings
}

/** To verifications of the days, or to a section of their overview. */
function toPath({ from, to }: Days, target: Others['target']): string {
  if (typeof target === 'string') return `/overview?from=${from}&to=${to}#${target}`
  return `/verifications?${listQuery({ ...target, from, to })}`
}

/** "Mondays" */
export function weekdays({ usage }: DayComparison): string {
  return `${formatWeekday(usage.from)}s`
}
