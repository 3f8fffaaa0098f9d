import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { provisioningLock } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { Member } from '../member/member.entity.ts'
import { readParameter } from '../parameters.ts'
import { ensureDefaultPlan } from '../plan/ensure-default-plan.ts'
import type { TenantScope, UserScope } from '../scope.ts'
import { addTenant } from './add-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { tenantName } from './tenant-fields.ts'

/**
 * Creates a tenant for a user who has none, on the default plan and with an active subscription; the user becomes
 * its owner. Throws `NOT_PROVISIONED` if the user already belongs to a tenant.
 */
export async function provisionTenant(scope: UserScope, input: { name: string }): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  const { issuer, subject, ip } = scope.actor
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    // The user has no row to lock yet, so an advisory lock on the user's name makes concurrent calls sequential.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [
      provisioningLock({ issuer, subject }),
    ])
    if (await em.count(Member, { issuer, subject })) throw alreadyProvisioned()
    const tenant = await addTenant(scope, em, { name })
    const tenantId = tenant.id
    em.create(Member, { tenantId, issuer, subject, role: 'owner', addedAt: scope.now })
    const owner: TenantScope = {
      ...scope,
      actor: { kind: 'member', tenantId, issuer, subject, role: 'owner', ip },
    }
    const created = { name, plan: tenant.plan.name }
    recordAuditEvent(owner, em, { action: 'tenant.provision', target: tenantId, changes: created })
    recordAuditEvent(owner, em, { action: 'member.add', target: subject, changes: { role: 'owner' } })
    return tenant
  })
}

function alreadyProvisioned(): DomainError {
  return new DomainError('NOT_PROVISIONED', { message: 'A tenant is already provisioned for this user.' })
}
