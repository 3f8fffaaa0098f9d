import { rowsOf, tables } from '../database/tables.ts'
import type { Scope } from '../scope.ts'
import { createdTooEarly } from './delivery.policy.ts'
import { logGivenUp } from './log-given-up.ts'

const batchSize = 2_000

/**
 * Deletes deliveries that were created 24 hours ago or earlier, finished or not, in the order of their key; one in
 * flight only when its attempt has ended. Logs those that were not finished. Returns their number.
 */
export async function deleteOldDeliveries(scope: Scope): Promise<number> {
  const deleted = tables(scope.em)
    .deleteFrom('delivery as d')
    .using(db =>
      db
        .selectFrom('delivery')
        .select(['created_at', 'tenant_id', 'verification_id'])
        .where('created_at', '<=', createdTooEarly(scope.now))
        .where('state', '<>', 'in_flight')
        .orderBy('created_at')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .as('old'),
    )
    .whereRef('d.created_at', '=', 'old.created_at')
    .whereRef('d.tenant_id', '=', 'old.tenant_id')
    .whereRef('d.verification_id', '=', 'old.verification_id')
    .returning(['d.tenant_id', 'd.verification_id', 'd.state'])
  const rows = await rowsOf(deleted)
  const unfinished = rows.filter(({ state }) => state === 'new' || state === 'waiting')
  if (unfinished.length > 0) scope.metrics.deliveriesExpired(unfinished.length)
  for (const { tenant_id: tenantId, verification_id: verificationId } of unfinished) {
    logGivenUp(scope.log, { tenantId, verificationId }, 'expired')
  }
  return rows.length
}
