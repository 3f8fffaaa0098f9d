import { formatUtcDay } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { dayMs } from '../components/periods.ts'
import type { Outputs } from '../trpc/trpc.ts'

export type Usage = Outputs['usage']['current']

/** How near this month's starts are to overage, or to where they are rejected. */
type QuotaLevel = 'normal' | 'near' | 'overage' | 'almost-reached' | 'reached'

/** Where starts are rejected: at the monthly quota, or with overage at the hard limit. */
export function limitOf({ monthlyQuota, hardLimit, overage }: Usage): number {
  return overage ? hardLimit : Math.min(monthlyQuota, hardLimit)
}

const nearShare = 0.8
const almostReachedShare = 0.95

export function quotaLevel(usage: Usage): QuotaLevel {
  const { used, monthlyQuota, overage } = usage
  const limit = limitOf(usage)
  if (used >= limit) return 'reached'
  if (used >= limit * almostReachedShare) return 'almost-reached'
  if (overage && used >= monthlyQuota) return 'overage'
  return used >= Math.min(monthlyQuota, limit) * nearShare ? 'near' : 'normal'
}

/** What is the case, in words; the colour of a banner repeats it. */
export function describeLevel(usage: Usage): string {
  const { used, monthlyQuota, hardLimit } = usage
  const name = limitOf(usage) < hardLimit ? 'monthly quota' : 'hard limit'
  switch (quotaLevel(usage)) {
    case 'reached':
      return `The ${name} is reached: new verifications are rejected`
    case 'almost-reached':
      return `${percentUsed(used, limitOf(usage))} of the ${name} is used`
    case 'overage':
      return 'The monthly quota is used up, and overage has begun'
    case 'near':
      return `${percentUsed(used, monthlyQuota)} of the monthly quota is used`
    default:
      return `${formatNumber(Math.max(0, monthlyQuota - used))} verifications left this month`
  }
}

/** When starts will be rejected or accepted again, or how many there will be. */
export function describeOutlook(usage: Usage, now: number): string {
  const { used, hardLimit, resetsAt, projectedEndAt, startsPerDay } = usage
  const limit = limitOf(usage)
  if (used >= limit) return `They are accepted again on ${formatUtcDay(resetsAt.slice(0, 10))}.`
  const name = limit < hardLimit ? 'quota' : 'hard limit'
  const projected = used + (startsPerDay * (Date.parse(resetsAt) - now)) / dayMs
  return projectedEndAt
    ? `At the pace of the last 7 days, the ${name} is reached about ${formatUtcDay(projectedEndAt.slice(0, 10))}.`
    : `At the pace of the last 7 days, it will be about ${formatNumber(Math.round(projected))} by the end of the month.`
}

/** Rounded down: it is 100% only when nothing is left. */
function percentUsed(used: number, limit: number): string {
  return `${Math.floor((used / limit) * 100)}%`
}
