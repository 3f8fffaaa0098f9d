import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/** Lets a tenant's keys work, or stops them: in every process from the moment that this has answered. */
export async function setTenantEnabled(
  scope: Scope,
  { tenantId, enabled }: { tenantId: string; enabled: boolean },
): Promise<Tenant> {
  const tenant = await scope.em.transactional(
    async em => {
      const found = await lockTenant(em, tenantId)
      if (found.enabled === enabled) return found
      found.disabledAt = enabled ? null : scope.now
      const action = enabled ? 'tenant.enable' : 'tenant.disable'
      recordAuditEvent(scope, em, { tenantId, action, target: tenantId, changes: {} })
      return found
    },
    { clear: true },
  )
  await scope.keyCache.invalidateTenant(tenantId)
  return tenant
}
