import type { EntityManager } from '@mikro-orm/postgresql'
import { transaction } from '../database/transaction.ts'
import type { TenantScope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'

/** Changes the acting tenant, or what its keys may do, which is locked meanwhile. */
export async function changeLockedTenant<Result>(
  scope: TenantScope,
  work: (em: EntityManager, tenant: Tenant) => Promise<Result>,
): Promise<Result> {
  return await transaction(scope, async em => await work(em, await lockTenant(scope, em)))
}
