import { int, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstIdAt } from '../ids.ts'
import type { Scope } from '../scope.ts'

const batchSize = 1000

/** Deletes the `ip` and `userAgent` of old verifications. Returns their number. Throws `DATABASE_ERROR`. */
export async function purgeRequestData({ pool, now, rules }: Scope): Promise<number> {
  const firstKept = firstIdAt(new Date(now.getTime() - rules.requestDataRetentionMs + 1))
  return (await deleteRequestData(pool, { firstKept, limit: batchSize })).length
}

export const deleteRequestData = statement({
  name: 'purge-request-data',
  text: `delete from request_data where ctid = any (array(
     select ctid from request_data where verification_id < :firstKept
     order by verification_id limit :limit for update skip locked
   )) returning verification_id as "verificationId"`,
  values: { firstKept: uuid, limit: int },
  row: { verificationId: uuid },
})
