import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { validate } from 'uuid'
import { invalidParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

/** The actor's tenant with its plan. Throws `INVALID_PARAMETERS` if it does not exist. */
export async function findTenant({ em, actor: { tenantId } }: TenantScope): Promise<Tenant> {
  const tenant = validate(tenantId) ? await em.findOne(Tenant, tenantId, { populate: ['plan'] }) : null
  return tenant ?? throwUnknown(tenantId)
}

/**
 * The same, locked until the transaction ends, so that concurrent changes of a tenant's settings, members and
 * secrets run one after the other.
 */
export async function lockTenant(em: EntityManager, tenantId: string): Promise<Tenant> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const tenant = validate(tenantId) ? await em.findOne(Tenant, tenantId, { lockMode, refresh: true }) : null
  if (!tenant) return throwUnknown(tenantId)
  await em.populate(tenant, ['plan'])
  return tenant
}

function throwUnknown(tenantId: string): never {
  throw invalidParameter('tenantId', `No tenant has the id ${tenantId}.`)
}
