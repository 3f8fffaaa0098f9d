import { type StatementPool, statement } from '../database/statement.ts'
import { attemptsMax } from './delivery.policy.ts'

/** What became of a claimed delivery. `unsent`: nothing left this process, so the attempt is not counted. */
export interface Outcome {
  id: string
  claimToken: string
  result: 'delivered' | 'failed' | 'unsent'
  at: Date
  /** When it is due again, if an attempt is left. */
  dueAt: Date
}

const record = statement<{ id: string }>(
  'record-outcomes',
  `update delivery d set
     state = case when o.result = 'delivered' then 'delivered'
       when o.result = 'failed' and d.attempts >= $6::int then 'failed' else 'pending' end,
     attempts = d.attempts - (o.result = 'unsent')::int,
     due_at = o.due_at,
     finished_at = case when o.result = 'delivered' or o.result = 'failed' and d.attempts >= $6::int then o.at end,
     claim_token = null, lease_until = null
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[])
     as o (id, claim_token, result, at, due_at)
   where d.id = o.id and d.state = 'in_flight' and d.claim_token = o.claim_token
   returning d.id`,
)

/**
 * Stores the results of attempts, many in one statement, each only under the claim that it was made with: a
 * worker that lost its lease can't overwrite what the next one found. Answers how many were stored.
 * Throws `DATABASE_ERROR`.
 */
export async function recordOutcomes(pool: StatementPool, outcomes: readonly Outcome[]): Promise<number> {
  const columns = [
    outcomes.map(outcome => outcome.id),
    outcomes.map(outcome => outcome.claimToken),
    outcomes.map(outcome => outcome.result),
    outcomes.map(outcome => outcome.at),
    outcomes.map(outcome => outcome.dueAt),
  ]
  return (await record(pool, [...columns, attemptsMax])).length
}
