import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { ApiKey } from './api-key.entity.ts'

/** All of the tenant's keys, including expired and revoked ones, newest first. */
export async function listApiKeys(scope: TenantScope): Promise<ApiKey[]> {
  const { id: tenantId } = await findTenant(scope)
  return await scope.em.find(ApiKey, { tenantId }, { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
}
