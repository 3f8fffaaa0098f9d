import { admissionError, invalidKeyError } from '../api-key/admission.policy.ts'
import { boolean, date, int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { rowsOf, tables } from '../database/tables.ts'
import type { TenantScope } from '../scope.ts'
import { type MonthlyLimit, monthlyLimitReached } from '../usage/monthly-limit-reached.ts'
import { monthOf } from '../usage/usage-period.ts'
import { verificationWrite } from './verification-write.ts'

/**
 * Uses one start of the month's quota. Exactly as many succeed as the plan allows, under any concurrency.
 * Returns the tenant's return URL. Throws `HARD_LIMIT_EXCEEDED` and `QUOTA_EXCEEDED`.
 */
export async function reserveStart(scope: TenantScope, verificationId: string): Promise<string | null> {
  const { now, pool } = scope
  const { tenantId } = scope.actor
  const month = monthOf(now)
  const reserved = await reserveQuota(pool, { tenantId, month, verificationId, now })
  // The tenant was deleted since the request was admitted.
  if (!reserved) throw admissionError(invalidKeyError, 'verifications:write')
  if (reserved.isGranted) return reserved.returnUrl
  throw monthlyLimitReached(limitOf(reserved, await usedIn(scope, month)), now)
}

/** The limit that was reached. A start that was released since then still counted when this one was rejected. */
function limitOf({ starts, hardLimit }: { starts: number; hardLimit: number }, used: number): MonthlyLimit {
  if (starts === hardLimit || used >= hardLimit) {
    return { code: 'HARD_LIMIT_EXCEEDED', limit: hardLimit, used: Math.max(used, hardLimit) }
  }
  return { code: 'QUOTA_EXCEEDED', limit: starts, used: Math.max(used, starts) }
}

async function usedIn(scope: TenantScope, month: string): Promise<number> {
  const [usage] = await rowsOf(
    tables(scope.em)
      .selectFrom('usage_month')
      .select('used')
      .where('tenant_id', '=', scope.actor.tenantId)
      .where('month', '=', month),
  )
  return usage?.used ?? 0
}

/** Starts that the plan allows in a month. */
const starts = 'case when p.overage then p.hard_limit else least(p.monthly_quota, p.hard_limit) end'

// Several starts of a tenant take what is left together, first come, first served. What is left is read first: if it has
// become less when the row is locked, nothing is taken, and the starts are repeated alone.
export const reserveQuota = verificationWrite({
  name: 'reserve-start',
  text: `with plan_limit as (
     select t.id, t.return_url, p.hard_limit, ${starts} as starts
     from tenant t join plan p on p.name = t.plan_name where t.id = :tenantId
   ), counted as (
     insert into usage_month as u (tenant_id, month, used)
     select id, :month, 1 from plan_limit where starts > 0
     on conflict (tenant_id, month) do update set used = u.used + 1
       where u.used < (select starts from plan_limit)
     returning used
   ), reserved as (
     insert into start_reservation (tenant_id, id, month, created_at)
     select :tenantId, :verificationId, :month, :now from counted
   )
   select return_url as "returnUrl", hard_limit as "hardLimit", starts, exists (select from counted) as "isGranted"
   from plan_limit`,
  batchText: `numbered as (
     select *, row_number() over (partition by tenant_id, month order by position) as number from writes
   ), wanted as (
     select tenant_id, month, count(*)::int as wanted from writes group by tenant_id, month
   ), quota as materialized (
     select w.*, p.*, least(w.wanted, p.starts - coalesce(u.used, 0)) as granted
     from wanted w cross join lateral (
       select t.return_url, p.hard_limit, ${starts} as starts
       from tenant t join plan p on p.name = t.plan_name where t.id = w.tenant_id offset 0
     ) p left join lateral (
       select used from usage_month u where u.tenant_id = w.tenant_id and u.month = w.month offset 0
     ) u on true
   ), counted as (
     insert into usage_month as u (tenant_id, month, used)
     select tenant_id, month, granted from quota where granted > 0 order by tenant_id, month
     on conflict (tenant_id, month) do update set used = u.used + excluded.used
       where u.used + excluded.used <=
         (select starts from quota q where q.tenant_id = u.tenant_id and q.month = u.month)
     returning tenant_id, month
   ), decided as (
     select n.*, q.return_url, q.hard_limit, q.starts, n.number <= q.granted as is_granted
     from numbered n join quota q on q.tenant_id = n.tenant_id and q.month = n.month
     where q.granted <= 0 or (q.tenant_id, q.month) in (select tenant_id, month from counted)
   ), reserved as (
     insert into start_reservation (tenant_id, id, month, created_at)
     select tenant_id, verification_id, month, now from decided where is_granted
   )
   select position::int, return_url as "returnUrl", hard_limit as "hardLimit", starts, is_granted as "isGranted"
   from decided`,
  values: { tenantId: uuid, month: date, verificationId: uuid, now: timestamp },
  row: {
    returnUrl: nullable(text),
    hardLimit: int,
    /** Starts that the plan allows in a month. */
    starts: int,
    /** Whether one was left this month. */
    isGranted: boolean,
  },
})
