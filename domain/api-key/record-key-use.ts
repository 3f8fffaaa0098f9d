import { type StatementPool, statement } from '../database/statement.ts'

// Locks rows in the order of their ids, so that processes that record the same keys concurrently can't deadlock.
const recordUse = statement(
  'record-key-use',
  `with used as (
     select k.id, u.at from api_key k
     join (select unnest($1::uuid[]) as id, date_trunc('minute', to_timestamp(unnest($2::float8[]) / 1000)) as at) u
       on u.id = k.id
     where k.last_used_at is null or k.last_used_at < u.at
     order by k.id for no key update of k)
   update api_key k set last_used_at = used.at from used where k.id = used.id`,
)

/** Stores when keys were last used, to the minute and never backwards. Throws `DATABASE_ERROR`. */
export async function recordKeyUse(pool: StatementPool, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return
  await recordUse(pool, [[...uses.keys()], [...uses.values()].map(at => at.getTime())])
}
