import { LockMode } from '@mikro-orm/postgresql'
import { arrayOf, bigint, int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, transaction } from '../database/transaction.ts'
import { firstIdAt, firstIdAtTime } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { testRetentionDays } from '../tenant/test-tenant.policy.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteVerifications } from './delete-verifications.ts'

/** Tenants per run, and transactions and verifications for each of them: no tenant waits for the backlog of another. */
const tenantsMax = 10
const batchesMax = 5
const batchSize = 500

/**
 * Deletes the verifications that their tenant keeps no longer, with everything that belongs to them: batches of a few tenants
 * that have some. They expire by their completion, so an open one never does. Returns how many there were. What the service
 * keeps no longer, `deleteOldVerifications` deletes. Throws `DATABASE_ERROR`.
 */
export async function deleteExpiredVerifications(scope: Scope): Promise<number> {
  const { pool, now } = scope
  let deleted = 0
  for (const tenant of await findExpired(pool, { now, testDays: testRetentionDays, limit: tenantsMax })) {
    // What was deleted is not vacuumed yet, and not read again.
    let after: string | undefined = '00000000-0000-0000-0000-000000000000'
    for (let count = 0; count < batchesMax && after !== undefined; count++) {
      const batch = await deleteBatch(scope, tenant, after)
      deleted += batch.length
      after = batch[batchSize - 1]?.id
    }
  }
  return deleted
}

interface Expiring {
  tenantId: string
  completedUntil: Date
}

async function deleteBatch(scope: Scope, { tenantId, completedUntil }: Expiring, after: string) {
  return await transaction(scope, async em => {
    const id = { $gt: after, $lt: firstIdAt(completedUntil) }
    const expired = await em.find(
      Verification,
      { tenantId, id, completedAt: { $lte: completedUntil } },
      {
        fields: ['completedAt', 'change'],
        orderBy: { id: 'asc' },
        limit: batchSize,
        lockMode: LockMode.PESSIMISTIC_WRITE,
      },
    )
    await deleteVerifications(em, { tenantId, now: scope.now }, expired)
    // The tenant's row is locked last: who deletes deliveries locks it after them, too.
    const changes = expired.flatMap(({ change }) => change?.toString() ?? [])
    if (changes.length > 0) await markDeletedChanges(inTransaction(em), { tenantId, changes })
    return expired
  })
}

/** Lets `listChanges` say that they are missing. An erasure does not: whoever erases knows what is gone. */
export const markDeletedChanges = statement({
  name: 'mark-deleted-changes',
  text: `update tenant set deleted_change = greatest(deleted_change, (select max(change) from unnest(:changes) change))
   where id = :tenantId`,
  values: { tenantId: uuid, changes: arrayOf(bigint) },
  row: {},
})

/**
 * Some tenants that have expired verifications, in no order. Each is looked at up to the first one, by the index that has a range
 * of both columns.
 */
export const findExpired = statement({
  name: 'find-expired-verifications',
  text: `select t.id as "tenantId", t.completed_until as "completedUntil"
   from (
     select id, :now - make_interval(days => least(retention_days, case when test then :testDays end)) as completed_until
     from tenant where retention_days is not null or test
   ) t
   cross join lateral (
     select from verification v
     where (v.tenant_id, v.id) < (t.id, ${firstIdAtTime('t.completed_until')}) and v.tenant_id = t.id
       and v.completed_at <= t.completed_until limit 1
   ) v order by random() limit :limit`,
  values: { now: timestamp, testDays: int, limit: int },
  row: { tenantId: uuid, completedUntil: timestamp },
})
