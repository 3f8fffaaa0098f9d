import { z } from 'zod'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import { type SubscriptionState, subscriptionStates, type Tenant } from './tenant.entity.ts'

const subscriptionState = z.enum(subscriptionStates, 'The subscription must be active or inactive.')

/** Holds in every process from the moment that this has answered. */
export async function setSubscription(
  scope: Scope,
  input: { tenantId: string; state: SubscriptionState },
): Promise<Tenant> {
  const { tenantId } = input
  const state = readParameter('state', subscriptionState, input.state)
  const tenant = await transaction(scope, async em => {
    const found = await lockTenant(em, tenantId)
    if (found.subscription === state) return found
    const changes = { from: found.subscription, to: state }
    found.subscription = state
    recordAuditEvent(scope, em, { tenantId, action: 'tenant.set_subscription', target: tenantId, changes })
    return found
  })
  await scope.keyAdmission.invalidateTenant(tenantId)
  return tenant
}
