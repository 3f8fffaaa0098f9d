import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { lockUser } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { createMember } from '../member/create-member.ts'
import { Member } from '../member/member.entity.ts'
import { readParameter } from '../parameters.ts'
import { asMember, type UserScope } from '../scope.ts'
import { addTenant, decideTest, tenantName } from './create-tenant.ts'
import { ensureDefaultPlan } from './ensure-default-plan.ts'
import { Tenant } from './tenant.entity.ts'

/** Whether a user can provision a tenant: the operator has closed provisioning, or the user has reached the limit. */
export const provisioningStates = ['open', 'closed', 'limit_reached'] as const
export type ProvisioningState = (typeof provisioningStates)[number]

/**
 * Creates a tenant for a user who has none, on the default plan and with an active subscription; the user becomes
 * its owner. Users can provision a limited number of tenants in all, whether or not they are still members of them,
 * and one at a time: while they belong to a tenant, also to one that they were invited to, they can't provision
 * another, except for a test tenant beside a live one, or the other way round. An invitation that they haven't accepted is no membership. Throws `FORBIDDEN` if provisioning is closed or
 * the user's limit is reached, and `NOT_PROVISIONED` while the user belongs to a tenant.
 */
export async function provisionTenant(
  scope: UserScope,
  input: { name: string; test?: boolean | undefined },
): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  const { issuer, subject } = scope.actor
  const user = { issuer, subject }
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    await lockUser(em, user)
    const state = await provisioningState(scope, em)
    if (state !== 'open') throw provisioningErrors[state](scope)
    const test = decideTest(scope.rules, input.test)
    const memberships = await em.find(Member, user, { fields: ['tenantId'] })
    const tenantIds = memberships.map(({ tenantId }) => tenantId)
    if (await em.count(Tenant, { id: { $in: tenantIds }, test })) throw alreadyProvisioned(test)
    const tenant = await addTenant(scope, em, { name, test }, user)
    const tenantId = tenant.id
    await createMember(scope, em, { tenantId, ...user, role: 'owner', lastSeenAt: scope.now })
    const owner = asMember(scope, tenantId, 'owner')
    const created = { name, plan: tenant.plan.name, ...(tenant.test && { test: true }) }
    recordAuditEvent(owner, em, { action: 'tenant.provision', target: tenantId, changes: created })
    recordAuditEvent(owner, em, { action: 'member.add', target: subject, changes: { role: 'owner' } })
    return tenant
  })
}

/** Whether the acting user could provision a tenant if they belonged to none. */
export async function provisioningState(
  { actor, rules }: UserScope,
  em: EntityManager,
): Promise<ProvisioningState> {
  if (!rules.provisioningOpen) return 'closed'
  const provisioned = await em.count(Tenant, {
    provisionedByIssuer: actor.issuer,
    provisionedBySubject: actor.subject,
  })
  return provisioned >= rules.provisionLimit ? 'limit_reached' : 'open'
}

const provisioningErrors = {
  closed: () =>
    new DomainError('FORBIDDEN', {
      message: 'Users cannot create tenants on this service. Ask its operator for one.',
    }),
  limit_reached: ({ rules: { provisionLimit } }: UserScope) =>
    new DomainError('FORBIDDEN', {
      message: `You have created ${provisionLimit} of ${provisionLimit} tenants. Ask the operator of this service for another one.`,
    }),
}

function alreadyProvisioned(test: boolean): DomainError {
  return new DomainError('NOT_PROVISIONED', {
    message: `You already belong to a ${test ? 'test ' : ''}tenant. Leave it before you create another one.`,
  })
}
