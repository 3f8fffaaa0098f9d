import { sharedWrite } from '../database/shared-statements.ts'
import { int, nullable, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
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

const outcomeValues = {
  tenantId: uuid,
  verificationId: uuid,
  createdAt: timestamp,
  leaseUntil: timestamp,
  result: textOf<Outcome['result']>(),
  dueAt: timestamp,
  attemptedAt: nullable(timestamp),
  failure: nullable(text),
}

// Only a delivery in flight is due at the end of its lease; asking for its state too would read all that are in flight. With
// the list of their times, the primary key is used also by a plan that was made while the table was empty.
export const recordOutcomes = statement({
  name: 'record-outcomes',
  text: `update delivery d set
     state = case when w.result = 'delivered' then 'delivered'
       when w.result = 'dropped' or w.result = 'failed' and d.attempts >= ${attemptsMax} then 'failed' else 'waiting' end,
     attempts = d.attempts - (w.result in ('unsent', 'dropped'))::int,
     due_at = w.due_at,
     attempted_at = case when w.result = 'delivered' then w.attempted_at else coalesce(w.attempted_at, d.attempted_at) end,
     failure = case when w.result = 'unsent' then d.failure else w.failure end
   from ${valueRows(outcomeValues)}
   where d.created_at = any (:createdAt) and d.created_at = w.created_at and d.tenant_id = w.tenant_id
     and d.verification_id = w.verification_id and d.due_at = w.lease_until
   returning w.position::int`,
  values: arrayTypes(outcomeValues),
  row: { position: int },
})

/**
 * Stores the outcome of an attempt, with all that arrive together, only under the claim that it was made with: a worker
 * that lost its lease cannot overwrite the result of the next one. Returns undefined if it wasn't stored.
 * Throws `DATABASE_ERROR`.
 */
export const recordOutcome = sharedWrite(outcomeValues, recordOutcomes)
