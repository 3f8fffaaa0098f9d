import { rowsOf, tables } from '../database/tables.ts'
import type { Scope } from '../scope.ts'
import { createdTooEarly } from './delivery.policy.ts'

const batchSize = 2_000

/** Deletes deliveries that were created 24 hours ago or earlier, finished or not. Returns their number. */
export async function deleteOldDeliveries(scope: Scope): Promise<number> {
  const deleted = tables(scope.em)
    .deleteFrom('delivery as d')
    .using(db =>
      db
        .selectFrom('delivery')
        .select(['tenant_id', 'verification_id', 'type'])
        .where('created_at', '<=', createdTooEarly(scope.now))
        .orderBy('created_at')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .as('old'),
    )
    .whereRef('d.tenant_id', '=', 'old.tenant_id')
    .whereRef('d.verification_id', '=', 'old.verification_id')
    .whereRef('d.type', '=', 'old.type')
    .returning('d.verification_id')
  return (await rowsOf(deleted)).length
}
