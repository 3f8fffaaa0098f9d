import { z } from 'zod'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { changeKeyAccess } from '../change-key-access.ts'
import { readParameter } from '../parameters.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import { type SubscriptionState, subscriptionStates, type Tenant } from './tenant.entity.ts'

const subscriptionState = z.enum(subscriptionStates, 'The subscription must be active or inactive.')

/** When this returns, the change is in effect in every process. */
export async function setSubscription(
  scope: TenantOperatorScope,
  input: { state: SubscriptionState },
): Promise<Tenant> {
  const state = readParameter('state', subscriptionState, input.state)
  const { tenantId } = scope.actor
  return await changeKeyAccess(scope, { tenantId, done: `The subscription is ${state}` }, async em => {
    const found = await lockTenant(scope, em)
    if (found.subscription === state) return found
    const changes = { from: found.subscription, to: state }
    found.subscription = state
    recordAuditEvent(scope, em, { action: 'tenant.set_subscription', target: tenantId, changes })
    return found
  })
}
