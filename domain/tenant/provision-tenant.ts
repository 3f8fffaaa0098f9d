import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { provisioningLock } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { Member } from '../member/member.entity.ts'
import { readParameter } from '../parameters.ts'
import { ensureDefaultPlan } from '../plan/ensure-default-plan.ts'
import type { UserScope } from '../scope.ts'
import { addTenant } from './add-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { tenantName } from './tenant.policy.ts'

/**
 * A tenant for a user who has none, on the default plan and with an active subscription; the user becomes its
 * owner. Throws `NOT_PROVISIONED` for a user who belongs to a tenant already.
 */
export async function provisionTenant(scope: UserScope, input: { name: string }): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  const { issuer, subject } = scope.actor
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    // There is no row of the user's yet that could be locked, so the lock is on the name.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [
      provisioningLock({ issuer, subject }),
    ])
    if (await em.count(Member, { issuer, subject })) throw alreadyProvisioned()
    const tenant = await addTenant(scope, em, { name, action: 'tenant.provision' })
    em.create(Member, { tenantId: tenant.id, issuer, subject, role: 'owner', addedAt: scope.now })
    const changes = { role: 'owner' }
    recordAuditEvent(scope, em, { tenantId: tenant.id, action: 'member.add', target: subject, changes })
    return tenant
  })
}

function alreadyProvisioned(): DomainError {
  return new DomainError('NOT_PROVISIONED', { message: 'A tenant is already provisioned for this user.' })
}
