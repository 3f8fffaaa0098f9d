import type { Scope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { ApiKey } from './api-key.entity.ts'

/** All of the tenant's keys, the newest first, with those that have expired or been revoked. */
export async function listApiKeys(scope: Scope, { tenantId }: { tenantId: string }): Promise<ApiKey[]> {
  const em = scope.em.fork()
  await findTenant(em, tenantId)
  return await em.find(ApiKey, { tenantId }, { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
}
