import { type StatementPool, statement } from '../database/statement.ts'
import { attemptsMax, leaseMs } from './delivery.policy.ts'

const batch = 1_000

/** A lease that ends later than any can was given before the clock was set back; it counts as over too. */
const takeOver = statement<{ id: string; state: 'pending' | 'failed' }>(
  'take-over-deliveries',
  `update delivery d set
     state = case when d.attempts >= $4::int then 'failed' else 'pending' end,
     finished_at = case when d.attempts >= $4::int then $1::timestamptz end,
     due_at = $1, claim_token = null, lease_until = null
   from (
     select id from delivery where state = 'in_flight' and (lease_until <= $1 or lease_until > $2)
     limit $3::int for update skip locked
   ) lost
   where d.id = lost.id returning d.id, d.state`,
)

export interface TakenOver {
  /** Due again at once. */
  pending: string[]
  /** Their last attempt was lost with the worker. */
  failed: string[]
}

/**
 * Frees the deliveries whose worker has let its lease pass: it was killed, or cut off. Their attempts stay
 * counted, as the request may have left. Throws `DATABASE_ERROR`.
 */
export async function reclaimExpiredLeases(pool: StatementPool, now: Date): Promise<TakenOver> {
  const rows = await takeOver(pool, [now, new Date(now.getTime() + leaseMs), batch, attemptsMax])
  const idsOf = (state: 'pending' | 'failed') => rows.filter(row => row.state === state).map(row => row.id)
  return { pending: idsOf('pending'), failed: idsOf('failed') }
}
