import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { validate } from 'uuid'
import { invalidParameter } from '../parameters.ts'
import { Tenant } from './tenant.entity.ts'

/** The tenant with its plan. Throws `INVALID_PARAMETERS` when no tenant has the id. */
export async function findTenant(em: EntityManager, tenantId: string): Promise<Tenant> {
  const tenant = validate(tenantId) ? await em.findOne(Tenant, tenantId, { populate: ['plan'] }) : null
  return tenant ?? refuse(tenantId)
}

/**
 * The same, locked until the transaction ends: makes changes of one tenant's settings, members and secrets
 * follow one another.
 */
export async function lockTenant(em: EntityManager, tenantId: string): Promise<Tenant> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const tenant = validate(tenantId) ? await em.findOne(Tenant, tenantId, { lockMode, refresh: true }) : null
  if (!tenant) return refuse(tenantId)
  await em.populate(tenant, ['plan'])
  return tenant
}

function refuse(tenantId: string): never {
  throw invalidParameter('tenantId', `No tenant has the id ${tenantId}.`)
}
