import { admissionError, invalidKeyError } from '../api-key/admission.policy.ts'
import { sharedWrite } from '../database/shared-statements.ts'
import { boolean, date, int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import type { TenantScope } from '../scope.ts'
import { type MonthlyLimit, monthlyLimitCode, monthlyLimitReached } from '../usage/monthly-limit-reached.ts'
import { UsageMonth } from '../usage/usage-month.entity.ts'
import { toMonth } from '../usage/usage-period.ts'

/**
 * Uses one start of the month's quota. Exactly as many succeed as the plan allows, under any concurrency.
 * Throws `HARD_LIMIT_EXCEEDED` and `QUOTA_EXCEEDED`.
 */
export async function reserveStart(
  scope: TenantScope,
  verificationId: string,
): Promise<{ comesBack: boolean }> {
  const { now, pool } = scope
  const { tenantId } = scope.actor
  const month = toMonth(now)
  const reserved = await reserveQuota(pool, { tenantId, month, verificationId, now })
  // The tenant was deleted since the request was admitted.
  if (!reserved) throw admissionError(invalidKeyError, 'verifications:write')
  if (reserved.isGranted) return reserved
  throw monthlyLimitReached(toLimit(reserved, await countUsed(scope, month)), now)
}

/** The limit that was reached. A start that was released since then still counted when this one was rejected. */
function toLimit(plan: { starts: number; hardLimit: number }, used: number): MonthlyLimit {
  const code = monthlyLimitCode(plan, used)
  const limit = code === 'HARD_LIMIT_EXCEEDED' ? plan.hardLimit : plan.starts
  return { code, limit, used: Math.max(used, limit) }
}

async function countUsed({ em, actor: { tenantId } }: TenantScope, month: string): Promise<number> {
  const usage = await em.findOne(UsageMonth, { tenantId, month })
  return usage?.used ?? 0
}

// Starts of a tenant that arrive together are counted together if all of them fit, and otherwise repeated alone.
const start = { tenantId: uuid, month: date, verificationId: uuid, now: timestamp }

export const reserveQuotas = statement({
  name: 'reserve-start',
  text: `with w as materialized (
     select * from ${valueRows(start)}
   ), quota as (
     select w.tenant_id, w.month, w.wanted, t.return_url is not null as comes_back, p.hard_limit,
       case when p.overage then p.hard_limit else least(p.monthly_quota, p.hard_limit) end as starts
     from (select tenant_id, month, count(*)::int as wanted from w group by tenant_id, month) w
       join tenant t on t.id = w.tenant_id join plan p on p.name = t.plan_name
     where t.id = any (:tenantId)
   ), counted as (
     insert into usage_month as u (tenant_id, month, used)
     select tenant_id, month, wanted from quota where wanted <= starts order by tenant_id, month
     on conflict (tenant_id, month) do update set used = u.used + excluded.used
       where u.used + excluded.used <=
         (select starts from quota q where q.tenant_id = u.tenant_id and q.month = u.month)
     returning tenant_id, month
   ), reserved as (
     insert into start_reservation (tenant_id, id, month, created_at)
     select w.tenant_id, w.verification_id, w.month, w.now from w join counted using (tenant_id, month)
   )
   select w.position::int, q.comes_back as "comesBack", q.hard_limit as "hardLimit", q.starts,
     c.tenant_id is not null as "isGranted"
   from w join quota q using (tenant_id, month) left join counted c using (tenant_id, month)
   where c.tenant_id is not null or q.wanted = 1`,
  values: arrayTypes(start),
  row: {
    position: int,
    /** Whether the tenant has a return URL. */
    comesBack: boolean,
    hardLimit: int,
    /** Starts that the plan allows in a month. */
    starts: int,
    /** Whether one was left this month. */
    isGranted: boolean,
  },
})

const reserveQuota = sharedWrite(start, reserveQuotas)
