import { arrayOf, int, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { DeliveryKey } from './delivery.entity.ts'
import { attemptsMax } from './delivery.policy.ts'

/** The outcome of a claimed delivery. `unsent`: nothing was sent, so the attempt is not counted. */
export interface Outcome extends DeliveryKey {
  claimToken: string
  result: 'delivered' | 'failed' | 'unsent'
  /** When it is due again, if an attempt is left. */
  dueAt: Date
}

/**
 * Stores the outcomes of attempts, many in one statement, each only under the claim that it was made with: a worker
 * that lost its lease cannot overwrite the result of the next one. Returns how many were stored.
 * Throws `DATABASE_ERROR`.
 */
export async function recordOutcomes(pool: StatementPool, outcomes: readonly Outcome[]): Promise<number> {
  const stored = await recordDeliveryOutcomes(pool, {
    tenantIds: outcomes.map(({ tenantId }) => tenantId),
    verificationIds: outcomes.map(({ verificationId }) => verificationId),
    types: outcomes.map(({ type }) => type),
    claimTokens: outcomes.map(({ claimToken }) => claimToken),
    results: outcomes.map(({ result }) => result),
    dueAts: outcomes.map(({ dueAt }) => dueAt),
    attemptsMax,
  })
  return stored.length
}

export const recordDeliveryOutcomes = statement({
  name: 'record-outcomes',
  text: `update delivery d set
     state = case when o.result = 'delivered' then 'delivered'
       when o.result = 'failed' and d.attempts >= :attemptsMax then 'failed' else 'pending' end,
     attempts = d.attempts - (o.result = 'unsent')::int,
     due_at = o.due_at, claim_token = null, lease_until = null
   from unnest(:tenantIds, :verificationIds, :types, :claimTokens, :results, :dueAts)
     as o (tenant_id, verification_id, type, claim_token, result, due_at)
   where d.tenant_id = o.tenant_id and d.verification_id = o.verification_id and d.type = o.type
     and d.state = 'in_flight' and d.claim_token = o.claim_token
   returning d.verification_id as "verificationId"`,
  values: {
    tenantIds: arrayOf(uuid),
    verificationIds: arrayOf(uuid),
    types: arrayOf(text),
    claimTokens: arrayOf(uuid),
    results: arrayOf(text),
    dueAts: arrayOf(timestamp),
    attemptsMax: int,
  },
  row: { verificationId: uuid },
})
