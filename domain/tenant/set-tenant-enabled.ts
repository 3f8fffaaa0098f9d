import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/** Lets a tenant's keys work, or stops them: in every process from the moment that this has answered. */
export async function setTenantEnabled(
  scope: Scope,
  { tenantId, enabled }: { tenantId: string; enabled: boolean },
): Promise<Tenant> {
  const tenant = await transaction(scope, async em => {
    const found = await lockTenant(em, tenantId)
    if (found.enabled === enabled) return found
    found.disabledAt = enabled ? null : scope.now
    const action = enabled ? 'tenant.enable' : 'tenant.disable'
    recordAuditEvent(scope, em, { tenantId, action, target: tenantId, changes: {} })
    return found
  })
  await scope.keyAdmission.invalidateTenant(tenantId)
  return tenant
}
