import { int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstIdAt, timeOfId } from '../ids.ts'
import { inTurn } from '../in-turn.ts'
import type { TenantScope } from '../scope.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import { listDays, type UsageDays, usageDays } from '../usage/usage-days.ts'
import { addDays, dayOf } from '../usage/usage-period.ts'
import { summarizeCode } from './decision.ts'
import { toSelection } from './verification-filter.ts'

export interface Denials {
  /** The most frequent reasons. The last one is of all others, and of denials without a reason. */
  reasons: { reasonCode: string | null; reason: string }[]
  /** One per UTC day: how many have each of the reasons. */
  days: { day: string; counts: number[] }[]
  /**
   * One in how many denials was looked at: the counts of a day add up to all of its denials. If it is 1, only those of
   * verifications that were started long before can be estimated.
   */
  sampledOneIn: number
}

const reasonsMax = 5

/** How many verifications are looked up at most, about: a hundred milliseconds. */
const lookedUpMax = 10_000
/** Of those that were created long before the days, of which few were decided in them. */
const olderLookedUpMax = 2_000

/** Why users were denied, by the UTC day of the decision. Throws `INVALID_PARAMETERS` for more than 366 days. */
export async function countDenials(scope: TenantScope, request: UsageDays = {}): Promise<Denials> {
  const { from, to, count } = usageDays(scope, request)
  const times = { completedFrom: new Date(from), completedTo: new Date(addDays(to, 1)) }
  const { range } = toSelection(scope, { status: 'denied', ...times })
  const recentFrom = addDays(from, -1)
  const denied = await countDenied(scope, dayOf(timeOfId(range.from)), to)
  const sampledOneIn = sampleSize(denied, lookedUpMax, day => day >= recentFrom)
  const olderOneIn = sampleSize(denied, olderLookedUpMax, day => day < recentFrom)
  const { tenantId } = scope.actor
  const recent = firstIdAt(new Date(recentFrom))
  const values = { tenantId, ...range, ...times, recent, sampledOneIn, olderOneIn }
  const found = await inTurn(scope, () => countDenialReasons(scope.pool, values))
  const totals = Map.groupBy(found, ({ reasonCode }) => reasonCode)
  totals.delete(null)
  const sizes = [...totals].map(([code, days]) => ({
    code,
    size: days.reduce((sum, day) => sum + day.count, 0),
  }))
  const codes = sizes
    .sort((one, other) => other.size - one.size)
    .slice(0, reasonsMax)
    .map(({ code }) => code)
  const days = new Map(listDays(from, count).map(day => [day, new Array<number>(codes.length + 1).fill(0)]))
  for (const { day, reasonCode, count } of found) {
    const place = codes.indexOf(reasonCode)
    days.get(day)![place === -1 ? codes.length : place]! += count
  }
  const isExact = sampledOneIn === 1 && olderOneIn === 1
  const others = codes.length > 0 ? 'Other reasons' : 'No reason given'
  return {
    reasons: [...codes, null].map(code => ({
      reasonCode: code,
      reason: summarizeCode(code) ?? others,
    })),
    days: [...days].map(([day, counts]) => ({
      day,
      counts: isExact ? counts : scaleTo(denied.get(day) ?? 0, counts),
    })),
    sampledOneIn,
  }
}

/** By UTC day. */
async function countDenied(
  { em, actor }: TenantScope,
  from: string,
  to: string,
): Promise<Map<string, number>> {
  const days = await em.find(UsageDay, { tenantId: actor.tenantId, day: { $gte: from, $lte: to } })
  return new Map(days.map(({ day, denied }) => [day, denied]))
}

/** One in how many denials is looked at, so that there are no more than `most` of these days. */
function sampleSize(denied: Map<string, number>, most: number, isOf: (day: string) => boolean): number {
  const count = [...denied].reduce((sum, [day, count]) => sum + (isOf(day) ? count : 0), 0)
  return Math.max(1, Math.ceil(count / most))
}

/** Whole numbers in the same proportion with this sum; all of it in the last one if there were none. */
function scaleTo(total: number, counts: readonly number[]): number[] {
  const sum = counts.reduce((sum, count) => sum + count, 0)
  if (sum === 0) return counts.map((_, place) => (place === counts.length - 1 ? total : 0))
  let counted = 0
  let given = 0
  return counts.map(count => {
    counted += count
    const share = Math.round((counted * total) / sum) - given
    given += share
    return share
  })
}

/**
 * Denied verifications are found by the index that has the status, and looked up one by one. Which of them are in the sample
 * says the end of the id, which is random. Each counts for all that it stands for. Its time is compared outside: by an index
 * of what is completed, each look-up could read all of the tenant's, in a plan from when there were few.
 */
export const countDenialReasons = statement({
  name: 'count-denial-reasons',
  text: `select to_char(v.completed_at at time zone 'UTC', 'YYYY-MM-DD') as day, v.reason_code as "reasonCode",
     sum(o.one_in)::int as count
   from (
     select verification_id as id, case when verification_id >= :recent then :sampledOneIn else :olderOneIn end as one_in
     from verification_outcome
     where tenant_id = :tenantId and status = 'denied' and verification_id >= :from and verification_id < :before
       and (get_byte(uuid_send(verification_id), 14) * 256 + get_byte(uuid_send(verification_id), 15))
         % (case when verification_id >= :recent then :sampledOneIn else :olderOneIn end) = 0
     offset 0
   ) o cross join lateral (
     select v.completed_at, (select c.reason_code from unnest(v.timeline) c where c.applied and c.status = 'denied' limit 1)
     from verification v
     where v.tenant_id = :tenantId and v.id = o.id limit 1
   ) v
   where v.completed_at >= :completedFrom and v.completed_at < :completedTo
   group by 1, 2 order by 1, 2`,
  values: {
    tenantId: uuid,
    from: uuid,
    before: uuid,
    completedFrom: timestamp,
    completedTo: timestamp,
    recent: uuid,
    sampledOneIn: int,
    olderOneIn: int,
  },
  row: { day: text, reasonCode: nullable(text), count: int },
})
