import type { TenantScope } from '../scope.ts'
import { type PeriodUsage, toPeriodUsage } from './summarize-usage.ts'
import { type Comparison, compareAmount, compareRate, resultsMin } from './unusual.policy.ts'
import { UsageDay } from './usage-day.entity.ts'
import { addDays, dayOf } from './usage-period.ts'

/** A day beside the same weekday of the four weeks before. */
export interface DayComparison extends Record<RateName | AmountName, Comparison> {
  usage: PeriodUsage
  /** Whether it is yesterday, because today has too few results to compare. */
  isOver: boolean
  /** How many of the four days before have any usage, and how many verifications ended on them. */
  earlier: { days: number; ended: number }
}

type AmountName = 'starts'

/** The part and the whole of each rate. */
const rates = {
  approval: ['approved', 'decided'],
  adult: ['over18', 'approved'],
  completion: ['decided', 'ended'],
  opening: ['opened', 'ended'],
  submission: ['submitted', 'opened'],
  decision: ['decided', 'submitted'],
} as const
type RateName = keyof typeof rates

const weeksBefore = [1, 2, 3, 4]

/** Today, or yesterday if that has enough results to compare and today does not. Reads at most ten days of counts. */
export async function compareDay({ em, actor, now }: TenantScope): Promise<DayComparison> {
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
  const before = sameWeekdays(day).map(usageOn)
  return { isOver, ...compareUsage(usageOn(day), before.filter(isUsed), isOver) }
}

function compareUsage(usage: PeriodUsage, before: PeriodUsage[], isOver: boolean) {
  const compared = Object.entries(rates).map(([name, [part, whole]]) => {
    const rateOf = (of: PeriodUsage) => ({ part: of[part], whole: of[whole] })
    return [name, compareRate(rateOf(usage), before.map(rateOf))]
  })
  return {
    usage,
    earlier: { days: before.length, ended: before.reduce((sum, { ended }) => sum + ended, 0) },
    ...(Object.fromEntries(compared) as Record<RateName, Comparison>),
    starts: compareStarts(usage, before, isOver),
  }
}

function compareStarts(usage: PeriodUsage, before: PeriodUsage[], isOver: boolean): Comparison {
  const counts = before.map(({ started }) => started)
  const compared = compareAmount(usage.started, counts)
  // The rest of the day is still to come, and a few more or less of a few mean nothing.
  const isEarly = compared.verdict === 'low' && !isOver
  const isFew = Math.max(usage.started, ...counts) < resultsMin
  return isEarly || isFew ? { ...compared, verdict: isFew ? 'unknown' : 'normal' } : compared
}

function isUsed({ started, ended }: PeriodUsage): boolean {
  return started + ended > 0
}

function sameWeekdays(day: string): string[] {
  return weeksBefore.map(weeks => addDays(day, -7 * weeks))
}
