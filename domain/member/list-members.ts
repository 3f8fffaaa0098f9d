import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'

/** The tenant's members, oldest first. */
export async function listMembers(scope: TenantScope): Promise<Member[]> {
  const { id: tenantId } = await findTenant(scope)
  return await scope.em.find(Member, { tenantId }, { orderBy: [{ addedAt: 'asc' }, { subject: 'asc' }] })
}
