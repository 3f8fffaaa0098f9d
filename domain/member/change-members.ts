import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import { invalidParameter } from '../parameters.ts'
import type { Role } from '../permissions.ts'
import type { TenantScope } from '../scope.ts'
import { Invitation } from './invitation.entity.ts'
import { openInvitations } from './list-invitations.ts'
import { Member, type MemberUser } from './member.entity.ts'
import { mayLoseOwner } from './member.policy.ts'

/**
 * Ends a membership, within the transaction that has locked the tenant. Returns what is audited: a name explains what its
 * member did before. Throws `INVALID_PARAMETERS` if the user is not a member, and `FORBIDDEN` as `requireOtherOwner` does.
 */
export async function endMembership(scope: TenantScope, em: EntityManager, user: MemberUser) {
  const member = await getMember(scope, em, user)
  await requireOtherOwner(scope, em, member)
  await revokeInvitations(scope, em, member)
  em.remove(member)
  const { role, name } = member
  return { role, ...(name && { name }) }
}

/** Throws `INVALID_PARAMETERS` if the user is not a member. */
export async function getMember(scope: TenantScope, em: EntityManager, user: MemberUser): Promise<Member> {
  const member = await findMember(scope, em, user)
  if (!member) throw invalidParameter('subject', `No member has the subject ${user.subject}.`)
  return member
}

export async function findMember(
  scope: TenantScope,
  em: EntityManager,
  { issuer, subject }: MemberUser,
): Promise<Member | null> {
  const { tenantId } = scope.actor
  return await em.findOne(Member, { tenantId, issuer, subject })
}

/** Throws `FORBIDDEN` as `requireOtherOwner` does. */
export async function changeRole(
  scope: TenantScope,
  em: EntityManager,
  member: Member,
  role: Role,
): Promise<void> {
  if (member.role === role) return
  await requireOtherOwner(scope, em, member)
  if (member.role === 'owner') await revokeInvitations(scope, em, member)
  const changes = { from: member.role, to: role }
  member.role = role
  recordAuditEvent(scope, em, { action: 'member.set_role', target: member.subject, changes })
}

/** Throws `FORBIDDEN` if the tenant would be left without an owner who can sign in. */
async function requireOtherOwner(scope: TenantScope, em: EntityManager, member: Member): Promise<void> {
  if (member.role !== 'owner') return
  const { tenantId } = member
  const owners = await em.find(Member, { tenantId, role: 'owner' })
  const others = owners.filter(owner => owner !== member)
  if (mayLoseOwner(member, others, scope.rules.memberIssuer)) return
  throw new DomainError('FORBIDDEN', {
    message:
      'A tenant needs at least one owner who has signed in. Make another member who has signed in an owner first.',
  })
}

/**
 * Revokes the open invitations of a member who is no longer an owner, so that they can't come back by a link that
 * they kept for themselves. Within the transaction that has locked the tenant.
 */
async function revokeInvitations(
  { now }: TenantScope,
  em: EntityManager,
  { tenantId, issuer, subject }: Member,
): Promise<void> {
  const theirs = { ...openInvitations(tenantId, now), inviterIssuer: issuer, inviterSubject: subject }
  await em.nativeUpdate(Invitation, theirs, { revokedAt: now })
}
