import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import type { MemberScope } from '../scope.ts'
import { changeMembers, endMembership } from './change-members.ts'

/** Ends the acting member's membership. Throws `FORBIDDEN` for the last owner. */
export async function leaveTenant(scope: MemberScope): Promise<void> {
  const { issuer, subject } = scope.actor
  await changeMembers(scope, async em => {
    const role = await endMembership(scope, em, { issuer, subject })
    recordAuditEvent(scope, em, { action: 'member.leave', target: subject, changes: { role } })
  })
}
