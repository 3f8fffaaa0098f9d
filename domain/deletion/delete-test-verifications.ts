import { LockMode } from '@mikro-orm/postgresql'
import { uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { transaction } from '../database/transaction.ts'
import { firstIdAt } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { testRetentionMs } from '../tenant/test-tenant.policy.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteVerifications } from './delete-verifications.ts'

const batchSize = 500

/**
 * Deletes a batch of the test verifications of a test tenant that were started 30 days ago, with everything that
 * belongs to them. Returns their number. Throws `DATABASE_ERROR`.
 */
export async function deleteTestVerifications(scope: Scope): Promise<number> {
  const { now } = scope
  const firstKept = firstIdAt(new Date(now.getTime() - testRetentionMs + 1))
  const [tenant] = await findTestTenant(scope.pool, { firstKept })
  if (!tenant) return 0
  const { tenantId } = tenant
  return await transaction(scope, async em => {
    const old = await em.find(
      Verification,
      { tenantId, id: { $lt: firstKept }, test: true },
      {
        fields: ['completedAt'],
        orderBy: { id: 'asc' },
        limit: batchSize,
        lockMode: LockMode.PESSIMISTIC_WRITE,
      },
    )
    await deleteVerifications(em, { tenantId, now }, old)
    return old.length
  })
}

/** A tenant that has such verifications, if there is one. */
export const findTestTenant = statement({
  name: 'find-test-tenant',
  text: `select t.id as "tenantId" from tenant t where t.test and exists (
     select from verification v where v.tenant_id = t.id and v.id < :firstKept and v.test
   ) limit 1`,
  values: { firstKept: uuid },
  row: { tenantId: uuid },
})
