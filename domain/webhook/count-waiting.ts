import { int, nullable, timestamp } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

/** Counting stops here, so that it stays cheap however large the backlog is. */
const waitingCountMax = 100_000

export interface Waiting {
  /** Deliveries that wait for an attempt, due or not, of all tenants; 100,000 at most. */
  waiting: number
  /** How long the oldest due delivery has been due; 0 if none is due. */
  overdueMs: number
}

/** Throws `DATABASE_ERROR`. */
export async function countWaiting(pool: StatementPool, now: Date): Promise<Waiting> {
  const [row] = await countWaitingDeliveries(pool, { limit: waitingCountMax })
  const { waiting = 0, oldestDueAt = null } = row ?? {}
  return {
    waiting: Math.min(waiting, waitingCountMax),
    overdueMs: oldestDueAt === null ? 0 : Math.max(0, now.getTime() - oldestDueAt.getTime()),
  }
}

export const countWaitingDeliveries = statement({
  name: 'count-waiting-deliveries',
  text: `with new as materialized (
     select due_at from delivery where state = 'new' limit :limit
   ), waiting as (
     select from delivery where state = 'waiting' limit :limit
   )
   select ((select count(*) from new) + (select count(*) from waiting))::int as waiting, least(
     (select min(due_at) from new), (select min(due_at) from delivery where state = 'waiting')
   ) as "oldestDueAt"`,
  values: { limit: int },
  row: { waiting: int, oldestDueAt: nullable(timestamp) },
})
