import { int, nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'

const batchSize = 500
/** Batches per run, each in a transaction of its own. */
const rounds = 20

/**
 * Deletes the verifications that the service keeps no longer, oldest first, also open ones. Their tokens have expired, and what
 * else belongs to them is kept for shorter. Open ones are counted as erased. Returns how many there were. Throws `DATABASE_ERROR`.
 */
export async function deleteOldVerifications(scope: Scope): Promise<number> {
  const before = firstRetainedId(scope)
  let deleted = 0
  let after: string | null = '00000000-0000-0000-0000-000000000000'
  // What precedes it was deleted and not vacuumed yet: it is not read again.
  for (let round = 0; round < rounds && after !== null; round++) {
    const [batch] = await deleteOldest(scope.pool, { after, before, limit: batchSize, now: scope.now })
    deleted += batch!.count
    after = batch!.last
  }
  return deleted
}

export const deleteOldest = statement({
  name: 'delete-oldest-verifications',
  text: `with old as materialized (
     select id, tenant_id, status, completed_at, change from verification where id > :after and id < :before
     order by id limit :limit for update skip locked
   ), closed as (
     delete from open_verification o using old where o.verification_id = old.id
   ), unlisted as (
     delete from verification_outcome o using old
     where o.tenant_id = old.tenant_id and o.status = old.status and o.verification_id = old.id
   ), counted as (
     insert into usage_day as d (tenant_id, day, erased)
     select tenant_id, (:now at time zone 'UTC')::date, count(*) from old where completed_at is null group by 1 order by 1
     on conflict (tenant_id, day) do update set erased = d.erased + excluded.erased
   ), deleted as (
     delete from verification v using old where v.id = old.id
   ), missed as (
     update tenant t set deleted_change = greatest(t.deleted_change, d.change)
     from (select tenant_id, max(change) as change from old group by tenant_id) d
     where t.id = d.tenant_id and d.change is not null
   )
   select count(*)::int as count, max(id::text)::uuid as last from old`,
  values: { after: uuid, before: uuid, limit: int, now: timestamp },
  row: { count: int, last: nullable(uuid) },
})
