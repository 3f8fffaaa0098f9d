import { groupWrites } from '../database/grouped-writes.ts'
import { int, type SqlTypes, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, toArrays } from '../database/value-arrays.ts'
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
 * Stores the outcome of an attempt, with all that arrive together, only under the claim that it was made with: a worker
 * that lost its lease cannot overwrite the result of the next one. Returns undefined if it wasn't stored.
 * Throws `DATABASE_ERROR`.
 */
export const recordOutcome = groupWrites<Outcome, { position: number }>({
  write: (pool, outcomes) =>
    recordOutcomes(pool, { ...toArrays(Object.keys(outcomeValues), outcomes), attemptsMax }),
  tenantOf: ({ tenantId }) => tenantId,
  keyOf: ({ verificationId }) => verificationId,
})

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

// Only a delivery in flight is due at the end of its lease; asking for its state too would read all that are in flight. With
// the list of their times, the primary key is used also by a plan that was made while the table was empty.
export const recordOutcomes = statement({
  name: 'record-outcomes',
  text: `update delivery d set
     state = case when o.result = 'delivered' then 'delivered'
       when o.result = 'dropped' or o.result = 'failed' and d.attempts >= :attemptsMax then 'failed' else 'waiting' end,
     attempts = d.attempts - (o.result in ('unsent', 'dropped'))::int,
     due_at = o.due_at,
     attempted_at = case when o.result = 'delivered' then o.attempted_at else coalesce(o.attempted_at, d.attempted_at) end,
     failure = case when o.result = 'unsent' then d.failure else o.failure end
   from unnest(:tenantId, :verificationId, :createdAt, :leaseUntil, :result, :dueAt, :attemptedAt, :failure)
     with ordinality
     as o (tenant_id, verification_id, created_at, lease_until, result, due_at, attempted_at, failure, position)
   where d.created_at = any (:createdAt) and d.created_at = o.created_at and d.tenant_id = o.tenant_id
     and d.verification_id = o.verification_id and d.due_at = o.lease_until
   returning o.position::int`,
  values: { ...arrayTypes(outcomeValues), attemptsMax: int } as SqlTypes,
  row: { position: int },
})
