import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { findPlan } from '../plan/find-plan.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/**
 * Holds in every process from the moment that this has answered; what was used in the month stays counted.
 * Throws `INVALID_PARAMETERS` for an unknown plan.
 */
export async function setTenantPlan(
  scope: Scope,
  { tenantId, plan }: { tenantId: string; plan: string },
): Promise<Tenant> {
  const tenant = await transaction(scope, async em => {
    const found = await lockTenant(em, tenantId)
    const to = await findPlan(em, plan)
    if (found.plan === to) return found
    const changes = { from: found.plan.name, to: to.name }
    found.plan = to
    recordAuditEvent(scope, em, { tenantId, action: 'tenant.set_plan', target: tenantId, changes })
    return found
  })
  await scope.keyAdmission.invalidateTenant(tenantId)
  return tenant
}
