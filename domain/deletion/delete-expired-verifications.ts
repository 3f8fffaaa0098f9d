import { LockMode } from '@mikro-orm/postgresql'
import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { transaction } from '../database/transaction.ts'
import { firstIdAt } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { testRetentionDays } from '../tenant/test-tenant.policy.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteVerifications } from './delete-verifications.ts'
import { queueSessions } from './session-deletions.ts'

/** Tenants per run, and verifications per tenant, so that no tenant waits for the backlog of another. */
const tenantsMax = 10
const batchSize = 500

/**
 * Deletes the verifications that their tenant keeps no longer, with everything that belongs to them: a batch of a few
 * tenants that have some. They expire by their completion, so an open one never does. Returns how many there were. What the
 * service keeps no longer goes with its partition. Throws `DATABASE_ERROR`.
 */
export async function deleteExpiredVerifications(scope: Scope): Promise<number> {
  const { pool, now } = scope
  const tenants = await findExpired(pool, { now, testDays: testRetentionDays, limit: tenantsMax })
  let deleted = 0
  for (const tenant of tenants) deleted += await deleteBatch(scope, tenant)
  return deleted
}

async function deleteBatch(
  scope: Scope,
  { tenantId, completedUntil }: { tenantId: string; completedUntil: Date },
): Promise<number> {
  return await transaction(scope, async em => {
    const expired = await em.find(
      Verification,
      { tenantId, id: { $lt: firstIdAt(completedUntil) }, completedAt: { $lte: completedUntil } },
      {
        fields: ['completedAt', 'test', 'providerSessionId'],
        orderBy: { id: 'asc' },
        limit: batchSize,
        lockMode: LockMode.PESSIMISTIC_WRITE,
      },
    )
    await deleteVerifications(em, { tenantId, now: scope.now }, expired)
    await queueSessions(em, scope.now, expired)
    return expired.length
  })
}

/** Some tenants that have expired verifications, in no order. Each is looked at by its index, the oldest first. */
export const findExpired = statement({
  name: 'find-expired-verifications',
  text: `select t.id as "tenantId", t.completed_until as "completedUntil"
   from (
     select id, :now - make_interval(days => least(retention_days, case when test then :testDays end)) as completed_until
     from tenant where retention_days is not null or test
   ) t
   where exists (
     select from verification v where v.tenant_id = t.id and v.completed_at <= t.completed_until
       and v.id < first_verification_id(t.completed_until at time zone 'UTC')
   ) order by random() limit :limit`,
  values: { now: timestamp, testDays: int, limit: int },
  row: { tenantId: uuid, completedUntil: timestamp },
})
