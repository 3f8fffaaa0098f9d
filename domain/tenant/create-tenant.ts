import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import { ensureDefaultPlan } from '../plan/ensure-default-plan.ts'
import { forTenant, type OperatorScope } from '../scope.ts'
import { addTenant, type NewTenant } from './add-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { tenantName } from './tenant-fields.ts'

/** Creates a tenant with an active subscription. Throws `INVALID_PARAMETERS` for an unknown plan. */
export async function createTenant(scope: OperatorScope, input: NewTenant): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    const tenant = await addTenant(scope, em, { name, plan: input.plan })
    const changes = { name, plan: tenant.plan.name }
    const audited = { action: 'tenant.create' as const, target: tenant.id, changes }
    recordAuditEvent(forTenant(scope, tenant.id), em, audited)
    return tenant
  })
}
