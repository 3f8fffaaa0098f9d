import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { changeKeyAccess } from '../change-key-access.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/** Enables or disables a tenant with all of its keys. When this returns, the change is in effect in every process. */
export async function setTenantEnabled(
  scope: TenantOperatorScope,
  { enabled }: { enabled: boolean },
): Promise<Tenant> {
  const { tenantId } = scope.actor
  const done = `The tenant is ${enabled ? 'enabled' : 'disabled'}`
  return await changeKeyAccess(scope, { tenantId, done }, async em => {
    const found = await lockTenant(scope, em)
    if (found.enabled === enabled) return found
    found.disabledAt = enabled ? null : scope.now
    const action = enabled ? 'tenant.enable' : 'tenant.disable'
    recordAuditEvent(scope, em, { action, target: tenantId, changes: {} })
    return found
  })
}
