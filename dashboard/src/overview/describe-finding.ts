import { formatWeekday } from '../components/dates.ts'
import { formatNumber, formatRate } from '../components/format-number.ts'
import type { Outputs } from '../trpc/trpc.ts'
import type { Filters } from '../verifications/filters.ts'
import { listQuery } from './series.tsx'

export type UnusualUsage = Outputs['usage']['unusual']
type Finding = UnusualUsage['findings'][number]

const undecided: Partial<Filters> = { statuses: ['submitted', 'resubmission'], state: 'completed' }

/** What is unusual in a sentence, with a link to the verifications that it is about, or to their numbers if no filter selects them. */
export function describeFinding({ of, value, low, high }: Finding, day: string) {
  const [meaning, label, target] = words[of]
  const weekday = formatWeekday(day)
  const path =
    typeof target === 'string'
      ? `/overview?from=${day}&to=${day}#${target}`
      : `/verifications?${listQuery({ ...target, from: day, to: day })}`
  const isStarts = of === 'starts'
  const compared = isStarts
    ? `${formatNumber(value)}, normal for ${weekday}s is ${formatNumber(Math.ceil(low))}–${formatNumber(Math.floor(high))}`
    : `${formatRate(1 - value)}, normal for ${weekday}s is ${formatRate(1 - high).slice(0, -1)}–${formatRate(1 - low)}`
  const start = isStarts ? `${value > high ? 'More' : 'Fewer'} ${meaning}` : meaning
  return { text: `${start}: ${compared}.`, label, path }
}

/** Verifications of the day, or a section of their overview. */
type Target = Partial<Filters> | 'losses' | 'results'

/** Of a rate, why it is low; and where its link leads. */
const words: Record<Finding['of'], [meaning: string, label: string, target: Target]> = {
  approval: ['More users than usual are denied', 'Denied verifications', { statuses: ['denied'] }],
  opening: ['More users than usual never open the page of the check', 'Where users give up', 'losses'],
  submission: ['More users than usual leave the check before submitting', 'Where users give up', 'losses'],
  decision: ['More submissions than usual end without a decision', 'Verifications without a decision', undecided],
  adult: ['Fewer approved users than usual are confirmed as 18 or over', 'Age of the approved', 'results'],
  starts: ['verifications than usual are started', 'Started verifications', { by: 'created' }],
}
