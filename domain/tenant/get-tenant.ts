import type { Scope } from '../scope.ts'
import { findTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/** The tenant, its plan loaded. Throws `INVALID_PARAMETERS` when no tenant has the id. */
export async function getTenant(scope: Scope, { tenantId }: { tenantId: string }): Promise<Tenant> {
  return await findTenant(scope.em.fork(), tenantId)
}
