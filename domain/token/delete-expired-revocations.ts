import { date, int } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { dayOf } from '../usage/usage-period.ts'

const batchSize = 1_000

/** Deletes the marks of revoked tokens that have expired, which nobody needs to look up any more. Returns their number. */
export async function deleteExpiredRevocations({ pool, now }: Scope): Promise<number> {
  return (await deleteRevokedTokens(pool, { today: dayOf(now), limit: batchSize })).length
}

export const deleteRevokedTokens = statement({
  name: 'delete-revoked-tokens',
  text: `delete from revoked_token where ctid = any (array(
     select ctid from revoked_token where expires_on < :today limit :limit
   )) returning status_index as "statusIndex"`,
  values: { today: date, limit: int },
  row: { statusIndex: int },
})
