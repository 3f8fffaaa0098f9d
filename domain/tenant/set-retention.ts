import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { readParameter, wholeNumber } from '../parameters.ts'
import { retentionDaysOf, serviceRetentionDays } from '../retention.policy.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { changeTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/**
 * Sets after how many days the tenant's completed verifications are deleted; as many as the service has: the service's own,
 * whatever it becomes. Throws `INVALID_PARAMETERS` for more than these.
 */
export async function setRetention(scope: TenantOperatorScope, input: { days: number }): Promise<Tenant> {
  const { rules } = scope
  const own = serviceRetentionDays(rules)
  const message = `The days must be a whole number from 1 to ${own}, which is how long the service keeps verifications.`
  const days = readParameter('days', wholeNumber({ min: 1, max: own }, message), input.days)
  return await changeTenant(scope, async (em, tenant) => {
    const from = retentionDaysOf(tenant, rules)
    tenant.retentionDays = days === own ? null : days
    const to = retentionDaysOf(tenant, rules)
    if (from === to) return tenant
    recordAuditEvent(scope, em, { action: 'tenant.set_retention', target: tenant.id, changes: { from, to } })
    return tenant
  })
}
