import type { EntityManager } from '@mikro-orm/postgresql'
import type { TenantScope } from '../scope.ts'
import { Invitation } from './invitation.entity.ts'
import { openInvitations } from './list-invitations.ts'
import type { Member } from './member.entity.ts'

/**
 * Revokes the open invitations of a member who is no longer an owner, so that they can't come back by a link that
 * they kept for themselves. Within the transaction that has locked the tenant.
 */
export async function revokeInvitationsOf(
  { now }: TenantScope,
  em: EntityManager,
  { tenantId, issuer, subject }: Member,
): Promise<void> {
  const theirs = { ...openInvitations(tenantId, now), inviterIssuer: issuer, inviterSubject: subject }
  await em.nativeUpdate(Invitation, theirs, { revokedAt: now })
}
