import { LockMode } from '@mikro-orm/postgresql'
import { boolean, int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { transaction } from '../database/transaction.ts'
import { firstIdAt, firstIdAtTime } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { testRetentionDays } from '../tenant/test-tenant.policy.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteVerifications } from './delete-verifications.ts'

/** Tenants per run, and transactions and verifications for each of them: no tenant waits for the backlog of another. */
const tenantsMax = 10
const rounds = 5
const batchSize = 500

/**
 * Deletes the verifications that their tenant keeps no longer, with everything that belongs to them: batches of a few tenants
 * that have some. They expire by their completion, so an open one never does. Returns how many there were. What the service
 * keeps no longer, `deleteOldVerifications` deletes. Throws `DATABASE_ERROR`.
 */
export async function deleteExpiredVerifications(scope: Scope): Promise<number> {
  const { pool, now } = scope
  const tenants = await findExpired(pool, {
    now,
    testDays: testRetentionDays,
    nilUuid,
    limit: tenantsMax,
  })
  let expiring = tenants.map(tenant => ({ ...tenant, after: nilUuid }))
  let deleted = 0
  for (let round = 0; round < rounds; round++) {
    const next: Expiring[] = []
    for (const tenant of expiring) {
      const batch = await deleteBatch(scope, tenant)
      deleted += batch.length
      if (batch.length === batchSize) next.push({ ...tenant, after: batch.at(-1)!.id })
    }
    expiring = next
  }
  return deleted
}

interface Expiring {
  tenantId: string
  completedUntil: Date
  /** Whether only those that were made by the test provider expire, and the generated history of a demonstration stays. */
  testOnly: boolean
  /** What precedes it was deleted, or looked at, and is not read again. */
  after: string
}

const nilUuid = '00000000-0000-0000-0000-000000000000'

async function deleteBatch(scope: Scope, { tenantId, completedUntil, testOnly, after }: Expiring) {
  return await transaction(scope, async em => {
    const id = { $gt: after, $lt: firstIdAt(completedUntil) }
    const expired = await em.find(
      Verification,
      { tenantId, id, completedAt: { $lte: completedUntil }, ...(testOnly && { test: true }) },
      {
        fields: ['completedAt'],
        orderBy: { id: 'asc' },
        limit: batchSize,
        lockMode: LockMode.PESSIMISTIC_WRITE,
      },
    )
    await deleteVerifications(em, { tenantId, now: scope.now }, expired)
    return expired
  })
}

/**
 * Some tenants that have expired verifications, in no order. Each is looked at by its index, up to the first one: as `exists`
 * it would be a join, with two conditions the index of the ids could be used, which have those of all tenants, and without
 * `coalesce` that of the changes, which is in another order.
 */
export const findExpired = statement({
  name: 'find-expired-verifications',
  text: `select t.id as "tenantId", t.completed_until as "completedUntil", t.test_only as "testOnly"
   from (
     select id, retention_days is null as test_only,
       :now - make_interval(days => least(retention_days, case when test then :testDays end)) as completed_until
     from tenant where retention_days is not null or test
   ) t
   cross join lateral (
     select from verification v
     where (v.tenant_id, v.id) between (t.id, :nilUuid) and (t.id, ${firstIdAtTime('t.completed_until')})
       and coalesce(v.completed_at, 'infinity') <= t.completed_until and (v.test or not t.test_only) limit 1
   ) v order by random() limit :limit`,
  values: { now: timestamp, testDays: int, nilUuid: uuid, limit: int },
  row: { tenantId: uuid, completedUntil: timestamp, testOnly: boolean },
})
