import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { tenantName } from '../tenant/create-tenant.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import type { Tenant } from '../tenant/tenant.entity.ts'
import { requireUnchanged } from './require-unchanged.ts'

/** Throws `INVALID_PARAMETERS` for an invalid name, and as `requireUnchanged` does. */
export async function renameTenant(
  scope: TenantScope,
  input: { name: string; expectedName?: string | undefined },
): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  const { tenantId } = scope.actor
  return await transaction(scope, async em => {
    const tenant = await lockTenant(scope, em)
    requireUnchanged(input.expectedName, tenant.name)
    if (tenant.name === name) return tenant
    const changes = { from: tenant.name, to: name }
    tenant.name = name
    recordAuditEvent(scope, em, { action: 'tenant.rename', target: tenantId, changes })
    return tenant
  })
}
