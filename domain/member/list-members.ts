import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'

/** The tenant's members, oldest first. */
export async function listMembers(scope: TenantScope, request: PageRequest = {}): Promise<Page<Member>> {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  const { id: tenantId } = await findTenant(scope)
  const where = { tenantId, ...(cursor && { id: { $gt: cursor } }) }
  const found = await scope.em.find(Member, where, { orderBy: { id: 'asc' }, limit: limit + 1 })
  return cutPage(found, limit, member => member.id)
}
