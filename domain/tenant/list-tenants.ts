import type { OperatorScope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

/** All tenants with their plans, oldest first. */
export async function listTenants(scope: OperatorScope): Promise<Tenant[]> {
  return await scope.em.find(Tenant, {}, { orderBy: { id: 'asc' }, populate: ['plan'] })
}
