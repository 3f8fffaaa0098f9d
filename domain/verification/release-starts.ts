import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

/** Longer than any start can last: the provider's deadline is 10 s. */
const interruptedAfterMs = 60_000

const releaseOne = statement<{ id: string }>(
  'release-start',
  `with released as (delete from start_reservation where id = $1 returning id, tenant_id, month)
   update usage_month u set used = u.used - 1 from released r
   where u.tenant_id = r.tenant_id and u.month = r.month returning r.id`,
)

// The months are locked in one order, so that workers which give back to the same tenants don't block each other.
const releaseOld = statement<{ released: number }>(
  'release-interrupted-starts',
  `with released as (
     delete from start_reservation where id in (
       select id from start_reservation where created_at < $1 order by created_at limit 500 for update skip locked
     ) returning tenant_id, month
   ), per_month as (
     select tenant_id, month, count(*)::int as starts from released group by tenant_id, month
   ), locked as (
     select u.tenant_id, u.month, m.starts from usage_month u
     join per_month m on u.tenant_id = m.tenant_id and u.month = m.month
     order by u.tenant_id, u.month for no key update of u
   ), returned as (
     update usage_month u set used = u.used - l.starts from locked l
     where u.tenant_id = l.tenant_id and u.month = l.month returning l.starts
   )
   select coalesce(sum(starts), 0)::int as released from returned`,
)

/** Gives back the quota of a start that failed. */
export async function releaseStart(scope: Scope, verificationId: string): Promise<void> {
  await releaseOne(scope.pool, [verificationId])
}

/** Gives back the quota of starts that never finished, because their process died. Answers with their number. */
export async function releaseInterruptedStarts(scope: Scope): Promise<number> {
  const [row] = await releaseOld(scope.pool, [new Date(scope.now.getTime() - interruptedAfterMs)])
  return row?.released ?? 0
}
