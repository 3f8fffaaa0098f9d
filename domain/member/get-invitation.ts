import type { Role } from '../permissions.ts'
import type { UserScope } from '../scope.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { requireFreePlace } from './create-member.ts'
import { findMemberNames } from './find-member-names.ts'
import { findInvitation, requireNoMember, requireOpenInvitation } from './invitation-code.ts'

export interface OpenInvitation {
  tenantName: string
  role: Role
  /** The subject of the member who invites. */
  inviter: string
  /** The inviter's name or e-mail address; null if neither is known. */
  inviterName: string | null
  expiresAt: Date
}

/**
 * What a user who has the code is invited to. Throws `NOT_PROVISIONED` unless the invitation can be accepted, also for a
 * member, and while the tenant has 500 members.
 */
export async function getInvitation(scope: UserScope, input: { code: string }): Promise<OpenInvitation> {
  const invitation = await findInvitation(scope.em, input.code)
  requireOpenInvitation(invitation, scope.now)
  const { actor, em } = scope
  await requireNoMember(em, { tenantId: invitation.tenantId, issuer: actor.issuer, subject: actor.subject })
  await requireFreePlace(em, invitation.tenantId)
  const { tenantId, role, inviterIssuer: issuer, inviterSubject: subject, expiresAt } = invitation
  const { name } = await scope.em.findOneOrFail(Tenant, tenantId)
  const nameOf = await findMemberNames(scope.em, tenantId, [{ issuer, subject }])
  const inviterName = nameOf({ issuer, subject }) ?? null
  return { tenantName: name, role, inviter: subject, inviterName, expiresAt }
}
