import { cutPageBySize, type Page, type PageRequest, readPage } from '../page.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { ApiKey } from './api-key.entity.ts'
import { endedKeyRetentionMs } from './api-key.policy.ts'

export interface ApiKeysRequest extends PageRequest {
  /** Neither revoked nor expired, or one of them; both if omitted. */
  state?: 'live' | 'ended' | undefined
}

/** The tenant's keys, newest first. Revoked and expired ones leave the list after 90 days. */
export async function listApiKeys(scope: TenantScope, request: ApiKeysRequest = {}): Promise<Page<ApiKey>> {
  const { limit, cursor } = readPage(request)
  const { id: tenantId } = await findTenant(scope)
  const listedSince = new Date(scope.now.getTime() - endedKeyRetentionMs)
  const where = {
    tenantId,
    ...(cursor && { id: { $lt: cursor } }),
    $and: [liveAt(listedSince), ...(request.state ? [conditions[request.state](scope.now)] : [])],
  }
  const found = await scope.em.find(ApiKey, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
  return cutPageBySize(found, limit, key => key.id)
}

/** The condition of keys that had not ended at a time. */
function liveAt(time: Date) {
  return {
    $and: [
      { $or: [{ revokedAt: null }, { revokedAt: { $gt: time } }] },
      { $or: [{ expiresAt: null }, { expiresAt: { $gt: time } }] },
    ],
  }
}

const conditions = {
  live: liveAt,
  ended: (now: Date) => ({ $or: [{ revokedAt: { $lte: now } }, { expiresAt: { $lte: now } }] }),
}
