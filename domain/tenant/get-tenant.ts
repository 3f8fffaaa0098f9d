import type { TenantScope } from '../scope.ts'
import { findTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/** The tenant with its plan. Throws `INVALID_PARAMETERS` if it does not exist. */
export async function getTenant(scope: TenantScope): Promise<Tenant> {
  return await findTenant(scope)
}
