import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { tenantName } from './tenant-fields.ts'

export async function renameTenant(scope: TenantScope, input: { name: string }): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  const { tenantId } = scope.actor
  return await transaction(scope, async em => {
    const tenant = await lockTenant(em, tenantId)
    if (tenant.name === name) return tenant
    const changes = { from: tenant.name, to: name }
    tenant.name = name
    recordAuditEvent(scope, em, { action: 'tenant.rename', target: tenantId, changes })
    return tenant
  })
}
