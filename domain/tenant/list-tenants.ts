import type { Scope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

/** All tenants, the oldest first. */
export async function listTenants(scope: Scope): Promise<Tenant[]> {
  return await scope.em.fork().find(Tenant, {}, { orderBy: { id: 'asc' }, populate: ['plan'] })
}
