import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { invalidParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'
import type { Role } from './member.policy.ts'

/**
 * One transaction that changes a tenant's members. Such changes follow one another, so that two owners who
 * remove each other at once don't leave the tenant without one.
 */
export async function changeMembers<Result>(
  scope: Scope,
  tenantId: string,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return await transaction(scope, async em => {
    await lockTenant(em, tenantId)
    return await change(em)
  })
}

/** Throws `INVALID_PARAMETERS` for a user who is no member. */
export async function findMember(scope: Scope, em: EntityManager, tenantId: string, subject: string) {
  const member = await em.findOne(Member, { tenantId, issuer: memberIssuer(scope), subject })
  return member ?? Promise.reject(invalidParameter('subject', `No member has the subject ${subject}.`))
}

/** Throws `FORBIDDEN` where the tenant would be left without an owner. */
export async function changeRole(scope: Scope, em: EntityManager, member: Member, role: Role): Promise<void> {
  if (member.role === role) return
  await keepAnOwner(em, member)
  const { tenantId, subject } = member
  const changes = { from: member.role, to: role }
  member.role = role
  recordAuditEvent(scope, em, { tenantId, action: 'member.set_role', target: subject, changes })
}

/** Throws `FORBIDDEN` when nobody else is an owner. */
export async function keepAnOwner(em: EntityManager, member: Member): Promise<void> {
  const owners = await em.count(Member, { tenantId: member.tenantId, role: 'owner' })
  if (member.role !== 'owner' || owners > 1) return
  throw new DomainError('FORBIDDEN', {
    message: 'A tenant keeps at least one owner: make somebody else an owner first.',
  })
}

/** Members name others by the subjects of their own sign-in provider. */
export function memberIssuer({ actor, rules }: Scope): string {
  return actor.kind === 'member' ? actor.issuer : rules.memberIssuer
}
