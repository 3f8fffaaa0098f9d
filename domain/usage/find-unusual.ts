import type { TenantScope } from '../scope.ts'
import { type PeriodUsage, toPeriodUsage } from './summarize-usage.ts'
import { type Comparison, compareAmount, compareRate, resultsMin } from './unusual.policy.ts'
import { UsageDay } from './usage-day.entity.ts'
import { addDays, dayOf } from './usage-period.ts'

/** What of a day is unusual beside the same weekday of the four weeks before. */
export interface UnusualUsage {
  /** UTC. */
  day: string
  /** Whether it is yesterday, because today has too few results to compare. */
  isOver: boolean
  /** Whether there were enough results to compare any rate. */
  isKnown: boolean
  /** How many of the four days before have any usage, and how many verifications ended on them. */
  earlier: { days: number; ended: number }
  /** The most important first. */
  findings: Finding[]
}

/** A rate that is lower than normal, or a number of starts that is higher or lower. */
export interface Finding extends Comparison {
  of: RateName | 'starts'
}

/** The part and the whole of each rate that should not be low, the most important first. */
const rates = {
  approval: ['approved', 'decided'],
  opening: ['opened', 'ended'],
  submission: ['submitted', 'opened'],
  decision: ['decided', 'submitted'],
  adult: ['over18', 'approved'],
} as const
type RateName = keyof typeof rates

const weeksBefore = [1, 2, 3, 4]

/** Of today, or of yesterday if that has enough results to compare and today does not. Reads at most ten days of counts. */
export async function findUnusual({ em, actor, now }: TenantScope): Promise<UnusualUsage> {
  const today = dayOf(now)
  const yesterday = addDays(today, -1)
  const days = [today, yesterday].flatMap(day => [day, ...sameWeekdays(day)])
  const found = await em.find(UsageDay, { tenantId: actor.tenantId, day: { $in: days } })
  const usageOn = (day: string) =>
    toPeriodUsage(
      found.filter(usage => usage.day === day),
      { from: day, to: day },
    )
  const hasResults = (day: string) => usageOn(day).ended >= resultsMin
  const isOver = !hasResults(today) && hasResults(yesterday)
  const day = isOver ? yesterday : today
  const before = sameWeekdays(day)
    .map(usageOn)
    .filter(({ started, ended }) => started + ended > 0)
  const compared = compareRates(usageOn(day), before)
  const lowRates = compared.filter(({ value, low }) => value < low)
  return {
    day,
    isOver,
    isKnown: compared.length > 0,
    earlier: { days: before.length, ended: before.reduce((sum, { ended }) => sum + ended, 0) },
    findings: [...lowRates, ...findUnusualStarts(usageOn(day), before, isOver)],
  }
}

function compareRates(usage: PeriodUsage, before: PeriodUsage[]): Finding[] {
  return (Object.keys(rates) as RateName[]).flatMap(of => {
    const [part, whole] = rates[of]
    const rateOf = (period: PeriodUsage) => ({ part: period[part], whole: period[whole] })
    const compared = compareRate(rateOf(usage), before.map(rateOf))
    return compared ? { of, ...compared } : []
  })
}

function findUnusualStarts({ started }: PeriodUsage, before: PeriodUsage[], isOver: boolean): Finding[] {
  const counts = before.map(period => period.started)
  const compared = compareAmount(started, counts)
  // A few more or less of a few mean nothing.
  if (!compared || Math.max(started, ...counts) < resultsMin) return []
  // The rest of the day is still to come.
  const isUnusual = started > compared.high || (isOver && started < compared.low)
  return isUnusual ? [{ of: 'starts', ...compared }] : []
}

function sameWeekdays(day: string): string[] {
  return weeksBefore.map(weeks => addDays(day, -7 * weeks))
}
