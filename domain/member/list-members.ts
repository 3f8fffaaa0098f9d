import type { Scope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'

/** In the order in which they were added. */
export async function listMembers(scope: Scope, { tenantId }: { tenantId: string }): Promise<Member[]> {
  const em = scope.em.fork()
  await findTenant(em, tenantId)
  return await em.find(Member, { tenantId }, { orderBy: [{ addedAt: 'asc' }, { subject: 'asc' }] })
}
