import { boolean, int, type SqlTypes, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes, toArrays } from '../database/value-arrays.ts'
import type { Caller } from '../tracing.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax } from './delivery.policy.ts'

/** The outcome of a claimed delivery. `unsent`: nothing was sent, so the attempt is not counted. */
export interface Outcome extends DeliveryKey {
  claimToken: string
  result: 'delivered' | 'failed' | 'unsent'
  /** When it is due again, if an attempt is left. */
  dueAt: Date
  /** Whether the receiver was unresponsive; null if nothing was sent. */
  isUnresponsive: boolean | null
  /** When the attempt ended; null if nothing was sent. */
  attemptedAt: Date | null
  /** Why it failed, such as `timeout` or `status_503`: 32 characters at most. Null if it didn't. */
  failure: string | null
}

/**
 * Stores the outcomes of attempts, many in one statement, each only under the claim that it was made with: a worker
 * that lost its lease cannot overwrite the result of the next one. Returns how many were stored.
 * Throws `DATABASE_ERROR`.
 */
export async function recordOutcomes(
  pool: StatementPool,
  outcomes: readonly Outcome[],
  callers?: readonly (Caller | undefined)[],
): Promise<number> {
  const values = { ...toArrays(Object.keys(outcomeValues), outcomes), attemptsMax }
  return (await recordDeliveryOutcomes(pool, values, callers)).length
}

const outcomeValues = {
  tenantId: uuid,
  verificationId: uuid,
  createdAt: timestamp,
  claimToken: uuid,
  result: text,
  dueAt: timestamp,
  isUnresponsive: boolean,
  attemptedAt: timestamp,
  failure: text,
}

// The queues are locked in one order before the deliveries, as everywhere, so that no two statements deadlock.
// Only a delivery in flight has a claim token; asking for its state too would read all that are in flight.
export const recordDeliveryOutcomes = statement({
  name: 'record-outcomes',
  text: `with outcome as materialized (
     select * from unnest(:tenantId, :verificationId, :createdAt, :claimToken, :result, :dueAt, :isUnresponsive,
         :attemptedAt, :failure)
       with ordinality as o (tenant_id, verification_id, created_at, claim_token, result, due_at, is_unresponsive,
         attempted_at, failure, n)
   ), locked as materialized (
     select tenant_id from delivery_queue where tenant_id = any(:tenantId) order by tenant_id for update
   ), stored as (
     update delivery d set
       state = case when o.result = 'delivered' then 'delivered'
         when o.result = 'failed' and d.attempts >= :attemptsMax then 'failed' else 'waiting' end,
       attempts = d.attempts - (o.result = 'unsent')::int,
       due_at = o.due_at, claim_token = null, lease_until = null,
       attempted_at = coalesce(o.attempted_at, d.attempted_at),
       failure = case when o.attempted_at is null then d.failure else o.failure end
     from outcome o
     where (select count(*) from locked) > 0 and d.created_at = o.created_at and d.tenant_id = o.tenant_id
       and d.verification_id = o.verification_id and d.claim_token = o.claim_token
     returning d.verification_id, d.tenant_id, d.state, d.due_at, o.is_unresponsive, o.n
   ), settled as (
     update delivery_queue q set in_flight = q.in_flight - s.stored, due_at = least(q.due_at, s.due_at),
       is_unresponsive = coalesce(s.is_unresponsive, q.is_unresponsive)
     from (
       select tenant_id, count(*)::int as stored, min(due_at) filter (where state = 'waiting') as due_at,
         (array_agg(is_unresponsive order by n desc) filter (where is_unresponsive is not null))[1] as is_unresponsive
       from stored group by tenant_id
     ) s where q.tenant_id = s.tenant_id
   )
   select verification_id as "verificationId" from stored`,
  values: { ...arrayTypes(outcomeValues), attemptsMax: int } as SqlTypes,
  row: { verificationId: uuid },
})
