import { z } from 'zod'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { changeLockedTenant } from './change-locked-tenant.ts'
import { findPlan } from './find-plan.ts'
import { type SubscriptionState, subscriptionStates, type Tenant } from './tenant.entity.ts'

/** Enables or disables a tenant with all of its keys. When this returns, the change is in effect in every process. */
export async function setTenantEnabled(
  scope: TenantOperatorScope,
  { enabled }: { enabled: boolean },
): Promise<Tenant> {
  return await changeLockedTenant(scope, async (em, tenant) => {
    if (tenant.enabled === enabled) return tenant
    tenant.disabledAt = enabled ? null : scope.now
    const action = enabled ? 'tenant.enable' : 'tenant.disable'
    recordAuditEvent(scope, em, { action, target: tenant.id, changes: {} })
    return tenant
  })
}

const subscriptionState = z.enum(subscriptionStates, 'The subscription must be active or inactive.')

/** When this returns, the change is in effect in every process. */
export async function setSubscription(
  scope: TenantOperatorScope,
  input: { state: SubscriptionState },
): Promise<Tenant> {
  const to = readParameter('state', subscriptionState, input.state)
  return await changeLockedTenant(scope, async (em, tenant) => {
    const from = tenant.subscription
    if (from === to) return tenant
    tenant.subscription = to
    recordAuditEvent(scope, em, {
      action: 'tenant.set_subscription',
      target: tenant.id,
      changes: { from, to },
    })
    return tenant
  })
}

/**
 * When this returns, the change is in effect in every process. Usage of the current month is kept.
 * Throws `INVALID_PARAMETERS` for an unknown plan.
 */
export async function setTenantPlan(scope: TenantOperatorScope, input: { plan: string }): Promise<Tenant> {
  return await changeLockedTenant(scope, async (em, tenant) => {
    const plan = await findPlan(em, input.plan)
    if (tenant.plan === plan) return tenant
    const changes = { from: tenant.plan.name, to: plan.name }
    tenant.plan = plan
    recordAuditEvent(scope, em, { action: 'tenant.set_plan', target: tenant.id, changes })
    return tenant
  })
}
