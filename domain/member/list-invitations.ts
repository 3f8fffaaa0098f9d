import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { findMemberNames } from './find-member-names.ts'
import { Invitation } from './invitation.entity.ts'
import { openInvitationsMax } from './invitation.policy.ts'
import type { MemberUser } from './member.entity.ts'

export interface ListedInvitation {
  invitation: Invitation
  /** The inviter's name or e-mail address; null if neither is known. */
  inviterName: string | null
}

/** The tenant's open invitations, newest first; at most 50. */
export async function listInvitations(scope: TenantScope): Promise<ListedInvitation[]> {
  const { id: tenantId } = await findTenant(scope)
  const found = await scope.em.find(Invitation, openInvitations(tenantId, scope.now), {
    orderBy: { id: 'desc' },
    limit: openInvitationsMax,
  })
  const nameOf = await findMemberNames(scope.em, tenantId, found.map(toInviter))
  return found.map(invitation => ({ invitation, inviterName: nameOf(toInviter(invitation)) ?? null }))
}

function toInviter({ inviterIssuer, inviterSubject }: Invitation): MemberUser {
  return { issuer: inviterIssuer, subject: inviterSubject }
}

/** The condition of invitations that can be accepted now. */
export function openInvitations(tenantId: string, now: Date) {
  return { tenantId, acceptedAt: null, revokedAt: null, expiresAt: { $gt: now } }
}
