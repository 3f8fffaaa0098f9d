import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { invalidParameter } from '../parameters.ts'
import type { Scope, TenantScope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'
import type { Role } from './member.policy.ts'

/**
 * Runs a transaction that changes the tenant's members. The tenant is locked, so concurrent changes run one after
 * the other: two owners who remove each other can't leave the tenant without an owner.
 */
export async function changeMembers<Result>(
  scope: TenantScope,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return await transaction(scope, async em => {
    await lockTenant(em, scope.actor.tenantId)
    return await change(em)
  })
}

/** The member with the subject. Throws `INVALID_PARAMETERS` if there is none. */
export async function getMember(scope: TenantScope, em: EntityManager, subject: string): Promise<Member> {
  const member = await findMember(scope, em, subject)
  if (!member) throw invalidParameter('subject', `No member has the subject ${subject}.`)
  return member
}

export async function findMember(
  scope: TenantScope,
  em: EntityManager,
  subject: string,
): Promise<Member | null> {
  const { tenantId } = scope.actor
  return await em.findOne(Member, { tenantId, issuer: memberIssuer(scope), subject })
}

/** Throws `FORBIDDEN` if the tenant would be left without an owner. */
export async function changeRole(
  scope: TenantScope,
  em: EntityManager,
  member: Member,
  role: Role,
): Promise<void> {
  if (member.role === role) return
  await requireOtherOwner(em, member)
  const changes = { from: member.role, to: role }
  member.role = role
  recordAuditEvent(scope, em, { action: 'member.set_role', target: member.subject, changes })
}

/** Throws `FORBIDDEN` if the member is the only owner. */
export async function requireOtherOwner(em: EntityManager, member: Member): Promise<void> {
  const owners = await em.count(Member, { tenantId: member.tenantId, role: 'owner' })
  if (member.role !== 'owner' || owners > 1) return
  throw new DomainError('FORBIDDEN', {
    message: 'A tenant needs at least one owner. Make another member an owner first.',
  })
}

/** Members refer to other users by subjects of their own sign-in provider; the operator, of the configured one. */
export function memberIssuer({ actor, rules }: Scope): string {
  return actor.kind === 'member' ? actor.issuer : rules.memberIssuer
}
