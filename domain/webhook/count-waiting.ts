import { type StatementPool, statement } from '../database/statement.ts'

/** Counting stops here, so that a look at a backlog costs little. */
const waitingCountMax = 100_000

const countDue = statement<{ waiting: number; oldestDueAt: number | null }>(
  'count-waiting-deliveries',
  `with recursive first as (
     (select tenant_id, due_at from delivery where state = 'pending' order by tenant_id, due_at limit 1)
     union all
     select next.tenant_id, next.due_at from first cross join lateral (
       select d.tenant_id, d.due_at from delivery d where d.state = 'pending' and d.tenant_id > first.tenant_id
       order by d.tenant_id, d.due_at limit 1
     ) next
   )
   select (select count(*)::int from (select from delivery where state = 'pending' limit $1) pending) as waiting,
     (select (extract(epoch from min(due_at)) * 1000)::float8 from first) as "oldestDueAt"`,
)

export interface Waiting {
  /** Deliveries that wait for an attempt, due or not, over all tenants; 100,000 at most. */
  waiting: number
  /** Since when the longest due one has been due; 0 if none is. */
  overdueMs: number
}

/** Throws `DATABASE_ERROR`. */
export async function countWaiting(pool: StatementPool, now: Date): Promise<Waiting> {
  const [row] = await countDue(pool, [waitingCountMax])
  const { waiting = 0, oldestDueAt = null } = row ?? {}
  return { waiting, overdueMs: oldestDueAt === null ? 0 : Math.max(0, now.getTime() - oldestDueAt) }
}
