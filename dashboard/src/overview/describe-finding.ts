import { formatWeekday } from '../components/dates.ts'
import { formatNumber, formatRate } from '../components/format-number.ts'
import type { Outputs } from '../trpc/trpc.ts'
import type { Filters } from '../verifications/filters.ts'
import { listQuery } from './series.tsx'

export type UnusualUsage = Outputs['usage']['unusual']
type Finding = UnusualUsage['findings'][number]

/** What is unusual in a sentence, with a link to the verifications that it is about, or to their numbers if no filter selects them. */
export function describeFinding({ of, value, low, high }: Finding, day: string) {
  const { meaning, label, target } = words[of]
  const path =
    typeof target === 'string'
      ? `/overview?from=${day}&to=${day}#${target}`
      : `/verifications?${listQuery({ ...target, from: day, to: day })}`
  const isStarts = of === 'starts'
  const compared = isStarts
    ? `${formatNumber(value)}, normal for ${weekdays(day)} is ${formatNumber(Math.ceil(low))}–${formatNumber(Math.floor(high))}`
    : `${formatRate(1 - value)}, normal for ${weekdays(day)} is ${formatRate(1 - high).slice(0, -1)}–${formatRate(1 - low)}`
  const start = isStarts ? `${value > high ? 'More' : 'Fewer'} ${meaning}` : meaning
  return { text: `${start}: ${compared}.`, label, path }
}

const words: Record<
  Finding['of'],
  {
    /** Of a rate, why it is low. */
    meaning: string
    label: string
    /** Verifications of the day, or a section of their overview. */
    target: Partial<Filters> | 'losses' | 'results'
  }
> = {
  approval: {
    meaning: 'More users than usual are denied',
    label: 'Denied verifications',
    target: { statuses: ['denied'] },
  },
  opening: {
    meaning: 'More users than usual never open the page of the check',
    label: 'Where users give up',
    target: 'losses',
  },
  submission: {
    meaning: 'More users than usual leave the check before submitting',
    label: 'Where users give up',
    target: 'losses',
  },
  decision: {
    meaning: 'More submissions than usual end without a decision',
    label: 'Verifications without a decision',
    target: { statuses: ['submitted', 'resubmission'], state: 'completed' },
  },
  adult: {
    meaning: 'Fewer approved users than usual are confirmed as 18 or over',
    label: 'Age of the approved',
    target: 'results',
  },
  starts: {
    meaning: 'verifications than usual are started',
    label: 'Started verifications',
    target: { by: 'created' },
  },
}

/** "Mondays" */
function weekdays(day: string): string {
  return `${formatWeekday(day)}s`
}
