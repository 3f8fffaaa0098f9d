import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope, TenantScope } from '../scope.ts'

/** Longer than any start can last: the provider's deadline is 10 s. */
export const interruptedAfterMs = 60_000

/** Reservations released in one batch. */
const batchSize = 500

/** Returns the quota of a start that failed. */
export async function releaseStart(scope: TenantScope, verificationId: string): Promise<void> {
  await releaseReservation(scope.pool, { tenantId: scope.actor.tenantId, verificationId })
}

/** Returns the quota of starts that never finished because their process died. Returns their number. */
export async function releaseInterruptedStarts(scope: Scope): Promise<number> {
  const createdBefore = new Date(scope.now.getTime() - interruptedAfterMs)
  const [row] = await releaseInterrupted(scope.pool, { createdBefore, limit: batchSize })
  return row?.released ?? 0
}

export const releaseReservation = statement({
  name: 'release-start',
  text: `with released as (
     delete from start_reservation where tenant_id = :tenantId and id = :verificationId returning tenant_id, month
   )
   update usage_month u set used = u.used - 1 from released r
   where u.tenant_id = r.tenant_id and u.month = r.month`,
  values: { tenantId: uuid, verificationId: uuid },
  row: {},
})

// The months are locked in one order, so that workers that release starts of the same tenants don't deadlock.
export const releaseInterrupted = statement({
  name: 'release-interrupted-starts',
  text: `with released as (
     delete from start_reservation where ctid = any (array(
       select ctid from start_reservation where created_at < :createdBefore
       order by created_at limit :limit for update skip locked
     )) returning tenant_id, month
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
  values: { createdBefore: timestamp, limit: int },
  row: { released: int },
})
