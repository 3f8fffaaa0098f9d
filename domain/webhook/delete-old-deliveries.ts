import { int, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import type { DeliveryState } from './delivery.entity.ts'
import { createdTooEarly } from './delivery.policy.ts'
import { logGivenUp } from './log-given-up.ts'

const batchSize = 2_000

/**
 * Deletes deliveries that were created 24 hours ago or earlier, finished or not, in the order of their key; one in
 * flight only when its attempt has ended. Logs those that were not finished. Returns their number.
 */
export async function deleteOldDeliveries(scope: Scope): Promise<number> {
  const createdUntil = createdTooEarly(scope.now)
  const deleted = await deleteDeliveriesCreatedUntil(scope.pool, { createdUntil, limit: batchSize })
  const unfinished = deleted.filter(({ state }) => state === 'new' || state === 'waiting')
  if (unfinished.length > 0) scope.metrics.deliveriesExpired(unfinished.length)
  for (const { tenantId, verificationId } of unfinished) {
    logGivenUp(scope.log, { tenantId, verificationId }, 'expired')
  }
  return deleted.length
}

/** Each tenant remembers the first event that was accepted, so that it is known afterwards that its receiver has worked. */
export const deleteDeliveriesCreatedUntil = statement({
  name: 'delete-old-deliveries',
  text: `with deleted as (
     delete from delivery where ctid = any (array(
       select ctid from delivery where created_at <= :createdUntil and state <> 'in_flight'
       order by created_at limit :limit for update skip locked
     )) returning tenant_id, verification_id, state, attempted_at
   ), accepted as (
     update tenant t set webhook_accepted_at = d.at
     from (select tenant_id, min(attempted_at) as at from deleted where state = 'delivered' group by tenant_id) d
     where t.id = d.tenant_id and t.webhook_accepted_at is null
   )
   select tenant_id as "tenantId", verification_id as "verificationId", state from deleted`,
  values: { createdUntil: timestamp, limit: int },
  row: { tenantId: uuid, verificationId: uuid, state: textOf<DeliveryState>() },
})
