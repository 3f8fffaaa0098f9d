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
  const [row] = await countPendingDeliveries(pool, { limit: waitingCountMax })
  const { waiting = 0, oldestDueAt = null } = row ?? {}
  return { waiting, overdueMs: oldestDueAt === null ? 0 : Math.max(0, now.getTime() - oldestDueAt.getTime()) }
}

export const countPendingDeliveries = statement({
  name: 'count-pending-deliveries',
  text: `with recursive first as (
     (select tenant_id, due_at from delivery where state = 'pending' order by tenant_id, due_at limit 1)
     union all
     select next.tenant_id, next.due_at from first cross join lateral (
       select d.tenant_id, d.due_at from delivery d where d.state = 'pending' and d.tenant_id > first.tenant_id
       order by d.tenant_id, d.due_at limit 1
     ) next
   )
   select (select count(*)::int from (select from delivery where state = 'pending' limit :limit) pending) as waiting,
     (select min(due_at) from first) as "oldestDueAt"`,
  values: { limit: int },
  row: { waiting: int, oldestDueAt: nullable(timestamp) },
})
