import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { tenantName } from './tenant.policy.ts'

export async function renameTenant(scope: Scope, input: { tenantId: string; name: string }): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  return await transaction(scope, async em => {
    const tenant = await lockTenant(em, input.tenantId)
    if (tenant.name === name) return tenant
    const changes = { from: tenant.name, to: name }
    tenant.name = name
    recordAuditEvent(scope, em, {
      tenantId: tenant.id,
      action: 'tenant.rename',
      target: tenant.id,
      changes,
    })
    return tenant
  })
}
