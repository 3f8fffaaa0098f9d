import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { changeMembers, getMember, requireOtherOwner } from './change-members.ts'
import { memberSubject } from './member-fields.ts'

/** Throws as `setMemberRole` does. */
export async function removeMember(scope: TenantScope, input: { subject: string }): Promise<void> {
  const subject = readParameter('subject', memberSubject, input.subject)
  await changeMembers(scope, async em => {
    const member = await getMember(scope, em, subject)
    await requireOtherOwner(em, member)
    em.remove(member)
    const changes = { role: member.role }
    recordAuditEvent(scope, em, { action: 'member.remove', target: subject, changes })
  })
}
