import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { changeKeyAccess } from '../change-key-access.ts'
import { findPlan } from '../plan/find-plan.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/**
 * When this returns, the change is in effect in every process. Usage of the current month is kept.
 * Throws `INVALID_PARAMETERS` for an unknown plan.
 */
export async function setTenantPlan(scope: TenantOperatorScope, { plan }: { plan: string }): Promise<Tenant> {
  const { tenantId } = scope.actor
  return await changeKeyAccess(scope, { tenantId, done: 'The plan of the tenant is set' }, async em => {
    const found = await lockTenant(scope, em)
    const to = await findPlan(em, plan)
    if (found.plan === to) return found
    const changes = { from: found.plan.name, to: to.name }
    found.plan = to
    recordAuditEvent(scope, em, { action: 'tenant.set_plan', target: tenantId, changes })
    return found
  })
}
