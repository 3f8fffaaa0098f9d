import { rowsOf, tables } from '../database/tables.ts'
import type { Scope } from '../scope.ts'

const batchSize = 1000

/** Deletes the `ip` and `userAgent` of old verifications. Returns their number. Throws `DATABASE_ERROR`. */
export async function purgeRequestData(scope: Scope): Promise<number> {
  const purged = tables(scope.em)
    .updateTable('verification as v')
    .set({ user_agent: null, ip: null, purge_at: null })
    .from(db =>
      db
        .selectFrom('verification')
        .select(['tenant_id', 'id'])
        .where('purge_at', '<=', scope.now)
        .orderBy('purge_at')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .whereRef('v.tenant_id', '=', 'due.tenant_id')
    .whereRef('v.id', '=', 'due.id')
    .returning('v.id')
  return (await rowsOf(purged)).length
}
