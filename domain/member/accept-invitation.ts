import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import type { Role } from '../permissions.ts'
import { asMember, type UserScope } from '../scope.ts'
import { lockTenantById } from '../tenant/find-tenant.ts'
import { createMember } from './create-member.ts'
import { findInvitation, requireNoMember, requireOpenInvitation } from './invitation-code.ts'

export interface AcceptedInvitation {
  tenantId: string
  role: Role
}

/**
 * Makes the user a member of the tenant, with the invitation's role. An invitation works for one person: of several
 * who accept it concurrently, the first. Throws `NOT_PROVISIONED` unless the invitation can be accepted, for a user
 * who is a member already, and as `createMember` does; `TENANT_INACTIVE` while the tenant is disabled.
 */
export async function acceptInvitation(
  scope: UserScope,
  input: { code: string },
): Promise<AcceptedInvitation> {
  const { issuer, subject } = scope.actor
  return await transaction(scope, async em => {
    const { tenantId } = await findInvitation(em, input.code)
    const tenant = await lockTenantById(em, tenantId)
    // Read again under the lock, which makes those who accept, revoke and change members wait for each other.
    const invitation = await findInvitation(em, input.code, { refresh: true })
    requireOpenInvitation(invitation, scope.now)
    if (!tenant.enabled) throw new DomainError('TENANT_INACTIVE')
    await requireNoMember(em, { tenantId, issuer, subject })
    const { role } = invitation
    await createMember(scope, em, { tenantId, issuer, subject, role, lastSeenAt: scope.now })
    invitation.acceptedAt = scope.now
    invitation.acceptedByIssuer = issuer
    invitation.acceptedBySubject = subject
    const member = asMember(scope, tenantId, role)
    const changes = { subject, role, inviter: invitation.inviterSubject }
    recordAuditEvent(member, em, { action: 'invitation.accept', target: invitation.id, changes })
    return { tenantId, role }
  })
}
