import { int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { timeOfId } from '../ids.ts'
import type { TenantScope } from '../scope.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import { listDays, type UsageDays, usageDays } from '../usage/usage-days.ts'
import { addDays, dayOf } from '../usage/usage-period.ts'
import { summarizeCode } from './decision.ts'
import { toSelection } from './verification-filter.ts'

export interface Denials {
  /** All of them, the most frequent first, and the denials without a reason last. */
  reasons: { reasonCode: string | null; reason: string; count: number }[]
  /** One per UTC day: how many have each of the first five reasons, and how many all others. */
  days: { day: string; counts: number[] }[]
  /** All of these days, also those whose verifications are deleted, and their reasons with them. */
  denied: number
  /** One in how many denials was looked at; each counts for so many. */
  sampledOneIn: number
}

const countedByDay = 5

/** How many verifications are looked up at most, about: a hundred milliseconds. */
const lookedUpMax = 10_000

/** Why users were denied, by the UTC day of the decision. Throws `INVALID_PARAMETERS` for more than 366 days. */
export async function countDenials(scope: TenantScope, request: UsageDays = {}): Promise<Denials> {
  const { from, to, count } = usageDays(scope, request)
  const times = { completedFrom: new Date(from), completedTo: new Date(addDays(to, 1)) }
  const { range } = toSelection(scope, { status: 'denied', ...times })
  const denied = await countDenied(scope, from, to)
  const kept = await countDenied(scope, dayOf(timeOfId(range.from)), to)
  const sampledOneIn = Math.max(1, Math.ceil(kept / lookedUpMax))
  const values = { tenantId: scope.actor.tenantId, ...range, ...times, sampledOneIn }
  const found = await countDenialReasons(scope.pool, values)
  const reasons = [...Map.groupBy(found, ({ reasonCode }) => reasonCode)]
    .map(([reasonCode, counted]) => ({
      reasonCode,
      reason: summarizeCode(reasonCode) ?? 'No reason given',
      count: counted.reduce((sum, { count }) => sum + count, 0),
    }))
    .sort((one, other) => Number(!one.reasonCode) - Number(!other.reasonCode) || other.count - one.count)
  const places = new Map(reasons.map(({ reasonCode }, place) => [reasonCode, Math.min(place, countedByDay)]))
  const days = new Map(listDays(from, count).map(day => [day, new Array<number>(countedByDay + 1).fill(0)]))
  for (const { day, reasonCode, count } of found) days.get(day)![places.get(reasonCode)!]! += count
  return { reasons, days: [...days].map(([day, counts]) => ({ day, counts })), denied, sampledOneIn }
}

async function countDenied({ em, actor }: TenantScope, from: string, to: string): Promise<number> {
  const days = await em.find(UsageDay, { tenantId: actor.tenantId, day: { $gte: from, $lte: to } })
  return days.reduce((sum, { denied }) => sum + denied, 0)
}

/**
 * Denied verifications are found by the index that has the status, and looked up one by one. Which of them are in the sample
 * says the end of the id, which is random. Its time is compared outside: by an index
 * of what is completed, each look-up could read all of the tenant's, in a plan from when there were few.
 */
export const countDenialReasons = statement({
  name: 'count-denial-reasons',
  text: `select to_char(v.completed_at at time zone 'UTC', 'YYYY-MM-DD') as day, v.reason_code as "reasonCode",
     (count(*) * :sampledOneIn)::int as count
   from (
     select verification_id as id from verification_outcome
     where tenant_id = :tenantId and status = 'denied' and verification_id >= :from and verification_id < :before
       and (get_byte(uuid_send(verification_id), 14) * 256 + get_byte(uuid_send(verification_id), 15)) % :sampledOneIn = 0
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
    sampledOneIn: int,
  },
  row: { day: text, reasonCode: nullable(text), count: int },
})
