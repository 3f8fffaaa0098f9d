import type { Scope } from '../scope.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { Member } from './member.entity.ts'
import type { Role } from './member.policy.ts'

export interface Membership {
  tenantId: string
  tenantName: string
  role: Role
  /** False for a disabled tenant. */
  enabled: boolean
}

/** The user's memberships, oldest first. */
export async function listMemberships(
  scope: Scope,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Membership[]> {
  const members = await scope.em.find(Member, { issuer, subject }, { orderBy: { addedAt: 'asc' } })
  const tenants = await scope.em.find(Tenant, { id: { $in: members.map(member => member.tenantId) } })
  const byId = new Map(tenants.map(tenant => [tenant.id, tenant]))
  return members.flatMap(({ tenantId, role }) => {
    const tenant = byId.get(tenantId)
    return tenant ? [{ tenantId, tenantName: tenant.name, role, enabled: tenant.enabled }] : []
  })
}
