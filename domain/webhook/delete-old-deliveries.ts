import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { createdTooEarly } from './delivery.policy.ts'

const batchSize = 2_000

/** Deletes deliveries that were created 24 hours ago or earlier, finished or not. Returns their number. */
export async function deleteOldDeliveries(scope: Scope): Promise<number> {
  const createdUntil = createdTooEarly(scope.now)
  return (await deleteDeliveriesCreatedUntil(scope.pool, { createdUntil, limit: batchSize })).length
}

export const deleteDeliveriesCreatedUntil = statement({
  name: 'delete-old-deliveries',
  text: `delete from delivery d using (
     select tenant_id, verification_id, type from delivery where created_at <= :createdUntil
     order by created_at limit :limit for update skip locked
   ) old
   where d.tenant_id = old.tenant_id and d.verification_id = old.verification_id and d.type = old.type
   returning d.verification_id as "verificationId"`,
  values: { createdUntil: timestamp, limit: int },
  row: { verificationId: uuid },
})
