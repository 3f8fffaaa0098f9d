import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { validate } from 'uuid'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { assertStillMember } from '../member/assert-still-member.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

/** The actor's tenant with its plan. Throws `INVALID_PARAMETERS` if it does not exist. */
export async function findTenant({ em, actor: { tenantId } }: TenantScope): Promise<Tenant> {
  const tenant = validate(tenantId) ? await em.findOne(Tenant, tenantId, { populate: ['plan'] }) : null
  return tenant ?? throwUnknown(tenantId)
}

/**
 * Runs a transaction that has locked the tenant, so that concurrent changes of its settings, members, keys and secrets run
 * one after the other: two owners who remove each other can't leave it without an owner. Throws as `lockTenant` does.
 */
export async function changeTenant<Result>(
  scope: TenantScope,
  change: (em: EntityManager, tenant: Tenant) => Promise<Result>,
): Promise<Result> {
  return await transaction(scope, async em => await change(em, await lockTenant(scope, em)))
}

/**
 * The actor's tenant with its plan, locked until the transaction ends. What a member may do is decided again under the
 * lock, which a removal of the member takes too. Throws as `findTenant` and `assertStillMember` do, and `TENANT_INACTIVE`
 * for a member of a disabled tenant.
 */
export async function lockTenant(scope: TenantScope, em: EntityManager): Promise<Tenant> {
  const { actor } = scope
  const tenant = await lockTenantById(em, actor.tenantId)
  if (actor.kind === 'member' && !tenant.enabled) throw new DomainError('TENANT_INACTIVE')
  await assertStillMember(scope, em)
  return tenant
}

/** The same, for whoever is not bound to the tenant yet. */
export async function lockTenantById(em: EntityManager, tenantId: string): Promise<Tenant> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const tenant = validate(tenantId) ? await em.findOne(Tenant, tenantId, { lockMode, refresh: true }) : null
  if (!tenant) return throwUnknown(tenantId)
  await em.populate(tenant, ['plan'])
  return tenant
}

function throwUnknown(tenantId: string): never {
  throw invalidParameter('tenantId', `No tenant has the id ${tenantId}.`)
}
