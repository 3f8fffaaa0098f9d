import { rowsOf, tables } from '../database/tables.ts'
import { firstIdAt } from '../ids.ts'
import type { Scope } from '../scope.ts'

const batchSize = 1000

/** Deletes the `ip` and `userAgent` of old verifications. Returns their number. Throws `DATABASE_ERROR`. */
export async function purgeRequestData(scope: Scope): Promise<number> {
  const createdUntil = scope.now.getTime() - scope.rules.requestDataRetentionMs
  const purged = tables(scope.em)
    .deleteFrom('request_data as r')
    .using(db =>
      db
        .selectFrom('request_data')
        .select('verification_id')
        .where('verification_id', '<', firstIdAt(new Date(createdUntil + 1)))
        .orderBy('verification_id')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .whereRef('r.verification_id', '=', 'due.verification_id')
    .returning('r.verification_id')
  return (await rowsOf(purged)).length
}
