import { int, type SqlTypes, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes, toArrays } from '../database/value-arrays.ts'
import type { Caller } from '../tracing.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax } from './delivery.policy.ts'

/** The outcome of a claimed delivery. */
export interface Outcome extends DeliveryKey {
  /** Of the claim. */
  leaseUntil: Date
  /**
   * `unsent`: nothing was sent, so the attempt is not counted. `dropped`: nothing was sent, and nothing will be.
   */
  result: 'delivered' | 'failed' | 'unsent' | 'dropped'
  /** When it is due again, if an attempt is left. */
  dueAt: Date
  /** When the attempt ended; null if nothing was sent. */
  attemptedAt: Date | null
  /** Why it failed or was dropped, such as `timeout` or `status_503`: 32 characters at most. Null if it wasn't. */
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
  leaseUntil: timestamp,
  result: text,
  dueAt: timestamp,
  attemptedAt: timestamp,
  failure: text,
}

// Only a delivery in flight is due at the end of its lease; asking for its state too would read all that are in flight.
export const recordDeliveryOutcomes = statement({
  name: 'record-outcomes',
  text: `update delivery d set
     state = case when o.result = 'delivered' then 'delivered'
       when o.result = 'dropped' or o.result = 'failed' and d.attempts >= :attemptsMax then 'failed' else 'waiting' end,
     attempts = d.attempts - (o.result in ('unsent', 'dropped'))::int,
     due_at = o.due_at, attempted_at = coalesce(o.attempted_at, d.attempted_at),
     failure = case when o.result = 'unsent' then d.failure else o.failure end
   from unnest(:tenantId, :verificationId, :createdAt, :leaseUntil, :result, :dueAt, :attemptedAt, :failure)
     as o (tenant_id, verification_id, created_at, lease_until, result, due_at, attempted_at, failure)
   where d.created_at = o.created_at and d.tenant_id = o.tenant_id and d.verification_id = o.verification_id
     and d.due_at = o.lease_until
   returning d.verification_id as "verificationId"`,
  values: { ...arrayTypes(outcomeValues), attemptsMax: int } as SqlTypes,
  row: { verificationId: uuid },
})
