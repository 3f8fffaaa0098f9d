import { z } from 'zod'
import { cutPage, type Page, type PageRequest, readPage } from '../page.ts'
import { invalidParameter, readParameter } from '../parameters.ts'
import { type AnyOperatorScope, boundTenant, forTenant } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Verification } from '../verification/verification.entity.ts'
import { Delivery, type DeliveryState, deliveryStates } from './delivery.entity.ts'

export interface DeliveriesRequest extends PageRequest {
  state?: DeliveryState | undefined
  /** Of verifications completed at or after this time. */
  from?: Date | undefined
  /** Of verifications completed before this time. */
  to?: Date | undefined
}

/**
 * Deliveries of the last 24 hours, of all tenants or of one, newest first. The cursor is the verificationId of the last
 * one. Throws `INVALID_PARAMETERS`, also for an unknown tenant, and for the cursor of a verification that was erased.
 */
export async function listDeliveries(
  scope: AnyOperatorScope,
  request: DeliveriesRequest = {},
): Promise<Page<Delivery>> {
  const { limit, cursor } = readPage(request)
  const state = readParameter('state', stateFilter, request.state)
  const { from, to } = request
  const tenantId = boundTenant(scope)
  if (tenantId) await findTenant(forTenant(scope, tenantId))
  const where = [
    ...(tenantId ? [{ tenantId }] : []),
    ...(state ? [{ state }] : []),
    ...(from ? [{ createdAt: { $gte: from } }] : []),
    ...(to ? [{ createdAt: { $lt: to } }] : []),
    ...(cursor ? [await olderThan(scope, cursor)] : []),
  ]
  const found = await scope.em.find(
    Delivery,
    { $and: where },
    {
      orderBy: [{ createdAt: 'desc' }, { tenantId: 'desc' }, { verificationId: 'desc' }],
      limit: limit + 1,
      disableIdentityMap: true,
    },
  )
  return cutPage(found, limit, delivery => delivery.verificationId)
}

/** What comes after the delivery of a verification, whether or not that is still stored. */
async function olderThan({ em }: AnyOperatorScope, verificationId: string) {
  const last = await em.findOne(Verification, verificationId)
  if (!last?.completedAt) throw invalidParameter('cursor', 'No delivery belongs to this verificationId.')
  const { completedAt: createdAt, tenantId } = last
  return {
    createdAt: { $lte: createdAt },
    $or: [
      { createdAt: { $lt: createdAt } },
      { tenantId: { $lt: tenantId } },
      { tenantId, verificationId: { $lt: verificationId } },
    ],
  }
}

const stateFilter = z.enum(deliveryStates, 'The state is unknown.').optional()
