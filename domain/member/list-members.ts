import { cutPageBySize, type Page, type PageRequest, readPage } from '../page.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'

/** The tenant's members, oldest first. */
export async function listMembers(scope: TenantScope, request: PageRequest = {}): Promise<Page<Member>> {
  const { limit, cursor } = readPage(request)
  const { id: tenantId } = await findTenant(scope)
  const where = { tenantId, ...(cursor && { id: { $gt: cursor } }) }
  const found = await scope.em.find(Member, where, { orderBy: { id: 'asc' }, limit: limit + 1 })
  return cutPageBySize(found, limit, member => member.id)
}
