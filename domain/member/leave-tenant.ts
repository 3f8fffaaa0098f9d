import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import type { MemberScope } from '../scope.ts'
import { changeMembers, getMember, requireOtherOwner } from './change-members.ts'
import { revokeInvitationsOf } from './revoke-invitations-of.ts'

/** Ends the acting member's membership. Throws `FORBIDDEN` for the last owner. */
export async function leaveTenant(scope: MemberScope): Promise<void> {
  const { issuer, subject } = scope.actor
  await changeMembers(scope, async em => {
    const member = await getMember(scope, em, { issuer, subject })
    await requireOtherOwner(scope, em, member)
    await revokeInvitationsOf(scope, em, member)
    em.remove(member)
    recordAuditEvent(scope, em, {
      action: 'member.leave',
      target: subject,
      changes: { role: member.role },
    })
  })
}
