import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { ApiKey } from './api-key.entity.ts'
import { endedKeyRetentionMs } from './api-key.policy.ts'

/** The tenant's keys, newest first. Revoked and expired ones leave the list after 90 days. */
export async function listApiKeys(scope: TenantScope, request: PageRequest = {}): Promise<Page<ApiKey>> {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  const { id: tenantId } = await findTenant(scope)
  const listedSince = new Date(scope.now.getTime() - endedKeyRetentionMs)
  const where = {
    tenantId,
    ...(cursor && { id: { $lt: cursor } }),
    $and: [
      { $or: [{ revokedAt: null }, { revokedAt: { $gt: listedSince } }] },
      { $or: [{ expiresAt: null }, { expiresAt: { $gt: listedSince } }] },
    ],
  }
  const found = await scope.em.find(ApiKey, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
  return cutPage(found, limit, key => key.id)
}
