import { int, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax, leaseMs } from './delivery.policy.ts'

const batchSize = 1_000

export interface ReclaimedDeliveries {
  /** Due again immediately. */
  waiting: DeliveryKey[]
  /** Their last attempt was lost with the worker. */
  failed: DeliveryKey[]
}

/**
 * Reclaims deliveries whose worker let its lease expire: it was killed, or lost its connections. Their attempts stay
 * counted, as the request may have been sent. Throws `DATABASE_ERROR`.
 */
export async function reclaimExpiredLeases(pool: StatementPool, now: Date): Promise<ReclaimedDeliveries> {
  const rows = await reclaimLeases(pool, {
    now,
    latestLease: new Date(now.getTime() + leaseMs),
    limit: batchSize,
    attemptsMax,
  })
  const selectKeys = (wanted: 'waiting' | 'failed') =>
    rows.filter(({ state }) => state === wanted).map(({ state, ...key }) => key)
  return { waiting: selectKeys('waiting'), failed: selectKeys('failed') }
}

/** A lease later than any that can be given now is from before the clock was set back; it counts as expired too. */
const isExpired = `state = 'in_flight' and (lease_until <= :now or lease_until > :latestLease)`

// The queues are locked in one order before the deliveries, as everywhere, so that no two statements deadlock.
export const reclaimLeases = statement({
  name: 'reclaim-expired-leases',
  text: `with expired as materialized (
     select created_at, tenant_id, verification_id from delivery where ${isExpired} limit :limit
   ), locked as materialized (
     select tenant_id from delivery_queue where tenant_id in (select tenant_id from expired)
     order by tenant_id for update
   ), reclaimed as (
     update delivery d set
       state = case when d.attempts >= :attemptsMax then 'failed' else 'waiting' end,
       due_at = :now, claim_token = null, lease_until = null, attempted_at = :now, failure = 'interrupted'
     from expired e join locked on locked.tenant_id = e.tenant_id
     where d.created_at = e.created_at and d.tenant_id = e.tenant_id and d.verification_id = e.verification_id
       and ${isExpired}
     returning d.created_at, d.tenant_id, d.verification_id, d.state
   ), settled as (
     update delivery_queue q set in_flight = q.in_flight - r.reclaimed, due_at = least(q.due_at, r.due_at)
     from (
       select tenant_id, count(*)::int as reclaimed, min(:now) filter (where state = 'waiting') as due_at
       from reclaimed group by tenant_id
     ) r where q.tenant_id = r.tenant_id
   )
   select created_at as "createdAt", tenant_id as "tenantId", verification_id as "verificationId", state
   from reclaimed`,
  values: { now: timestamp, latestLease: timestamp, limit: int, attemptsMax: int },
  row: { createdAt: timestamp, tenantId: uuid, verificationId: uuid, state: textOf<'waiting' | 'failed'>() },
})
