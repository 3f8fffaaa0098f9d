import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

const batchSize = 1000

/** Deletes the `ip` and `userAgent` of old verifications. Returns their number. */
export async function purgeRequestData(scope: Scope): Promise<number> {
  return (await purgeDueRequestData(scope.pool, { now: scope.now, limit: batchSize })).length
}

export const purgeDueRequestData = statement({
  name: 'purge-request-data',
  text: `update verification v set user_agent = null, ip = null, purge_at = null from (
     select tenant_id, id from verification where purge_at <= :now
     order by purge_at limit :limit for update skip locked
   ) due
   where v.tenant_id = due.tenant_id and v.id = due.id returning v.id`,
  values: { now: timestamp, limit: int },
  row: { id: uuid },
})
