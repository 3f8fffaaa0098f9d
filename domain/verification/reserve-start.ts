import { date, int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { rowsOf, tables } from '../database/tables.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { monthEnd, monthOf, secondsUntil } from '../usage/usage-period.ts'

/**
 * Uses one start of the month's quota. Exactly as many succeed as the plan allows, under any concurrency.
 * Returns the tenant's return URL. Throws `HARD_LIMIT_EXCEEDED` and `QUOTA_EXCEEDED`.
 */
export async function reserveStart(scope: TenantScope, verificationId: string): Promise<string | null> {
  const { now, pool } = scope
  const { tenantId } = scope.actor
  const month = monthOf(now)
  const [reserved] = await reserveQuota(pool, { tenantId, month, verificationId, now })
  if (!reserved) throw new DomainError('UNAUTHENTICATED_TENANT')
  if (reserved.used !== null) return reserved.returnUrl
  const isAtHardLimit =
    reserved.starts === reserved.hardLimit || (await usedIn(scope, month)) >= reserved.hardLimit
  const code = isAtHardLimit ? 'HARD_LIMIT_EXCEEDED' : 'QUOTA_EXCEEDED'
  throw new DomainError(code, { details: { retryAfterSeconds: secondsUntil(monthEnd(now), now) } })
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

export const reserveQuota = statement({
  name: 'reserve-start',
  text: `with plan_limit as (
     select t.id, t.return_url, p.hard_limit,
       case when p.overage then p.hard_limit else least(p.monthly_quota, p.hard_limit) end as starts
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
   select return_url as "returnUrl", hard_limit as "hardLimit", starts, (select used from counted) as used
   from plan_limit`,
  values: { tenantId: uuid, month: date, verificationId: uuid, now: timestamp },
  row: {
    returnUrl: nullable(text),
    hardLimit: int,
    /** Starts that the plan allows in a month. */
    starts: int,
    /** Null if no start is left this month. */
    used: nullable(int),
  },
})
