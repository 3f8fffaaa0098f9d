import type { EntityManager } from '@mikro-orm/postgresql'
import { rowsOf, tables } from '../database/tables.ts'
import { timeOfId } from '../ids.ts'
import { listAsRevoked } from '../token/list-as-revoked.ts'
import { verificationStatuses } from './verification.policy.ts'
import { boundsOf } from './verification-lookup.ts'

/**
 * Deletes a tenant's verifications with everything that belongs to them, except for the counts of its usage and the marks
 * that revoke their tokens: within a transaction, which has locked their rows, so that none of them is completed meanwhile.
 * Throws `DATABASE_ERROR`.
 */
export async function deleteVerifications(
  em: EntityManager,
  of: { tenantId: string; now: Date },
  verifications: readonly LockedVerification[],
): Promise<void> {
  const { tenantId } = of
  const ids = verifications.map(({ id }) => id)
  if (ids.length === 0) return
  const { firstId, lastId } = boundsOf(ids.map(verificationId => ({ verificationId })))
  await listAsRevoked(em, of, ids)
  await deleteDeliveries(em, tenantId, verifications)
  await rowsOf(
    tables(em)
      .deleteFrom('idempotency_key')
      .where('tenant_id', '=', tenantId)
      .where('verification_id', 'in', ids)
      // Its index is on the time: that of the verification, to the millisecond.
      .where('created_at', '>=', timeOfId(firstId))
      .where('created_at', '<=', timeOfId(lastId)),
  )
  await rowsOf(tables(em).deleteFrom('request_data').where('verification_id', 'in', ids))
  await rowsOf(tables(em).deleteFrom('open_verification').where('verification_id', 'in', ids))
  await rowsOf(
    tables(em)
      .deleteFrom('verification_outcome')
      .where('tenant_id', '=', tenantId)
      .where('status', 'in', [...verificationStatuses])
      .where('verification_id', 'in', ids)
      .where('verification_id', '>=', firstId)
      .where('verification_id', '<=', lastId),
  )
  await rowsOf(
    tables(em)
      .deleteFrom('verification')
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids)
      .where('id', '>=', firstId)
      .where('id', '<=', lastId),
  )
}

export interface LockedVerification {
  id: string
  completed_at?: Date | string | null | undefined
}

/** A tenant's deliveries are changed under the lock of its queue, which counts those in flight. */
async function deleteDeliveries(
  em: EntityManager,
  tenantId: string,
  verifications: readonly LockedVerification[],
): Promise<void> {
  const completed = verifications.filter(({ completed_at }) => completed_at)
  if (completed.length === 0) return
  await rowsOf(
    tables(em).selectFrom('delivery_queue').select('tenant_id').where('tenant_id', '=', tenantId).forUpdate(),
  )
  const deleted = await rowsOf(
    tables(em)
      .deleteFrom('delivery')
      .where('tenant_id', '=', tenantId)
      .where(
        'created_at',
        'in',
        completed.map(({ completed_at }) => new Date(completed_at!)),
      )
      .where(
        'verification_id',
        'in',
        completed.map(({ id }) => id),
      )
      .returning('state'),
  )
  const inFlight = deleted.filter(({ state }) => state === 'in_flight').length
  if (inFlight === 0) return
  await rowsOf(
    tables(em)
      .updateTable('delivery_queue')
      .set(db => ({ in_flight: db('in_flight', '-', inFlight) }))
      .where('tenant_id', '=', tenantId),
  )
}
