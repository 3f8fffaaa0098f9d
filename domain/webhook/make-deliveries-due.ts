import { boolean, int, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax, leaseMs } from './delivery.policy.ts'

/** Of each kind; what is left is for the next call. */
const batchSize = 5_000

/** By how much the clock of another worker may be ahead: a lease that ends later was given before the clock was set back. */
const clockDifferenceMsMax = 60_000

export interface ReclaimedDeliveries {
  /** Due again. */
  due: DeliveryKey[]
  /** Their last attempt was lost with the worker. */
  failed: DeliveryKey[]
}

/**
 * Makes retries due whose time has come, and reclaims the deliveries whose worker let its lease expire: it was killed, or
 * lost its connections. Their attempts stay counted, as the request may have been sent. Returns the reclaimed ones.
 * Throws `DATABASE_ERROR`.
 */
export async function makeDeliveriesDue(pool: StatementPool, now: Date): Promise<ReclaimedDeliveries> {
  const latestLease = new Date(now.getTime() + leaseMs + clockDifferenceMsMax)
  const rows = await sweepDeliveries(pool, { now, latestLease, limit: batchSize, attemptsMax })
  const selectKeys = (wanted: 'new' | 'failed') =>
    rows
      .filter(({ isReclaimed, state }) => isReclaimed && state === wanted)
      .map(({ isReclaimed, state, ...key }) => key)
  return { due: selectKeys('new'), failed: selectKeys('failed') }
}

/**
 * A lease later than any that can be given now counts as expired too. Reclaiming changes `due_at`, the lease's end, so that no
 * outcome of the lost attempt is stored any more.
 */
export const sweepDeliveries = statement({
  name: 'make-deliveries-due',
  text: `with retries as materialized (
     select ctid as row_id from delivery where state = 'waiting' and due_at <= :now
     order by due_at limit :limit for update skip locked
   ), expired as materialized (
     select ctid as row_id from delivery where state = 'in_flight' and (due_at < :now or due_at > :latestLease)
     limit :limit for update skip locked
   ), come as (
     select row_id, false as is_reclaimed from retries union all select row_id, true from expired
   )
   update delivery d set
     state = case when d.attempts >= :attemptsMax then 'failed' else 'new' end,
     due_at = case when is_reclaimed then :now else d.due_at end,
     attempted_at = case when is_reclaimed then :now else d.attempted_at end,
     failure = case when is_reclaimed then 'interrupted' else d.failure end
   from come where d.ctid = come.row_id
   returning d.created_at as "createdAt", d.tenant_id as "tenantId", d.verification_id as "verificationId", d.state,
     come.is_reclaimed as "isReclaimed"`,
  values: { now: timestamp, latestLease: timestamp, limit: int, attemptsMax: int },
  row: {
    createdAt: timestamp,
    tenantId: uuid,
    verificationId: uuid,
    state: textOf<'new' | 'failed'>(),
    isReclaimed: boolean,
  },
})
