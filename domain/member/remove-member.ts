import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { changeMembers, findMember, keepAnOwner } from './change-members.ts'
import { memberSubject } from './member.policy.ts'

/** Throws as `setMemberRole` does. */
export async function removeMember(
  scope: Scope,
  input: { tenantId: string; subject: string },
): Promise<void> {
  const { tenantId } = input
  const subject = readParameter('subject', memberSubject, input.subject)
  await changeMembers(scope, tenantId, async em => {
    const member = await findMember(scope, em, tenantId, subject)
    await keepAnOwner(em, member)
    em.remove(member)
    const changes = { role: member.role }
    recordAuditEvent(scope, em, { tenantId, action: 'member.remove', target: subject, changes })
  })
}
