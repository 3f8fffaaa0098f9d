import { formatWeekday } from '../components/dates.ts'
import { formatRate } from '../components/format-number.ts'
import type { Days } from '../components/periods.ts'
import type { Filters } from '../verifications/filters.ts'
import { type Count, type DayComparison, formatRates, metrics } from './metrics.ts'
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
  return [...findInRates(day), ...findInAmounts(day)].map(({ meaning, value, normal, label, target }) => ({
    text: `${meaning}: ${value}, normal for ${weekdays(day)} is ${normal}.`,
    label,
    to: toPath(day.usage, target),
  }))
}

/** Verifications of the day, or a section of their overview. */
type Destination = { label: string; target: Partial<Filters> | 'losses' | 'results' }
type Unusual = Destination & { meaning: string; value: string; normal: string }
type RateName = 'approval' | 'opening' | 'submission' | 'decision' | 'adult'

const denied: Destination = { label: 'Denied verifications', target: { statuses: ['denied'] } }
const losses: Destination = { label: 'Where users give up', target: 'losses' }
const undecided: Destination = {
  label: 'Verifications without a decision',
  target: { statuses: ['submitted', 'resubmission'], state: 'completed' },
}
const ages: Destination = { label: 'Age of the approved', target: 'results' }

/** The rates that should not be low: what it means, and where the others are. */
const rates: [name: RateName, part: Count, whole: Count, meaning: string, to: Destination][] = [
  ['approval', 'approved', 'decided', 'More users than usual are denied', denied],
  ['opening', 'opened', 'ended', 'More users than usual never open the page of the check', losses],
  ['submission', 'submitted', 'opened', 'More users than usual leave the check before submitting', losses],
  ['decision', 'decided', 'submitted', 'More submissions than usual end without a decision', undecided],
  ['adult', 'over18', 'approved', 'Fewer approved users than usual are confirmed as 18 or over', ages],
]

function findInRates(day: DayComparison): Unusual[] {
  return rates
    .filter(([name]) => day[name].verdict === 'low')
    .map(([name, part, whole, meaning, to]) => {
      const { low, high } = day[name].normal!
      const value = formatRate(1 - day.usage[part] / day.usage[whole])
      return { ...to, meaning, value, normal: formatRates({ low: 1 - high, high: 1 - low }) }
    })
}

const started: Destination = { label: 'Started verifications', target: { by: 'created' } }

/** The numbers that should not be higher or lower: what it means, and where they are. */
const amounts: [name: 'starts', verdict: 'high' | 'low', meaning: string, to: Destination][] = [
  ['starts', 'high', 'More verifications than usual are started', started],
  ['starts', 'low', 'Fewer verifications than usual are started', started],
]

function findInAmounts(day: DayComparison): Unusual[] {
  return amounts
    .filter(([name, verdict]) => day[name].verdict === verdict)
    .map(([name, , meaning, to]) => {
      const { of, format, formatRange } = metrics[name]
      return { ...to, meaning, value: format(of(day.usage) ?? 0), normal: formatRange(day[name].normal!) }
    })
}

/** To verifications of the days, or to a section of their overview. */
function toPath({ from, to }: Days, target: Destination['target']): string {
  if (typeof target === 'string') return `/overview?from=${from}&to=${to}#${target}`
  return `/verifications?${listQuery({ ...target, from, to })}`
}

/** "Mondays" */
export function weekdays({ usage }: DayComparison): string {
  return `${formatWeekday(usage.from)}s`
}
