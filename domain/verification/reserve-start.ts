import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { monthEnd, monthOf, secondsUntil } from '../usage/usage-period.ts'

interface Reserved {
  returnUrl: string | null
  hardLimit: number
  /** How many the plan allows in a month. */
  starts: number
  /** Null where no start is left this month. */
  used: number | null
}

const reserve = statement<Reserved>(
  'reserve-start',
  `with plan_limit as (
     select t.id, t.return_url, p.hard_limit,
       case when p.overage then p.hard_limit else least(p.monthly_quota, p.hard_limit) end as starts
     from tenant t join plan p on p.name = t.plan_name where t.id = $1
   ), counted as (
     insert into usage_month as u (tenant_id, month, used)
     select id, $2::date, 1 from plan_limit where starts > 0
     on conflict (tenant_id, month) do update set used = u.used + 1
       where u.used < (select starts from plan_limit)
     returning used
   ), reserved as (
     insert into start_reservation (id, tenant_id, month, created_at)
     select $3::uuid, $1, $2::date, $4::timestamptz from counted
   )
   select return_url as "returnUrl", hard_limit as "hardLimit", starts, (select used from counted) as used
   from plan_limit`,
)

const findUsed = statement<{ used: number }>(
  'find-used',
  'select used from usage_month where tenant_id = $1 and month = $2::date',
)

/**
 * Takes one start of the month's quota, exactly as many as the plan allows under any concurrency.
 * Answers with the tenant's return address. Throws `HARD_LIMIT_EXCEEDED` and `QUOTA_EXCEEDED`.
 */
export async function reserveStart(scope: TenantScope, verificationId: string): Promise<string | null> {
  const { tenantId } = scope.actor
  const month = monthOf(scope.now)
  const [reserved] = await reserve(scope.pool, [tenantId, month, verificationId, scope.now])
  if (!reserved) throw new DomainError('UNAUTHENTICATED_TENANT')
  if (reserved.used !== null) return reserved.returnUrl
  const isAtCeiling =
    reserved.starts === reserved.hardLimit || (await usedIn(scope, month)) >= reserved.hardLimit
  const code = isAtCeiling ? 'HARD_LIMIT_EXCEEDED' : 'QUOTA_EXCEEDED'
  throw new DomainError(code, {
    details: { retryAfterSeconds: secondsUntil(monthEnd(scope.now), scope.now) },
  })
}

async function usedIn(scope: TenantScope, month: string): Promise<number> {
  const [usage] = await findUsed(scope.pool, [scope.actor.tenantId, month])
  return usage?.used ?? 0
}
