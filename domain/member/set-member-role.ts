import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { changeMembers, findMember, keepAnOwner } from './change-members.ts'
import type { Member } from './member.entity.ts'
import { memberRole, memberSubject, type Role } from './member.policy.ts'

export interface MemberRole {
  tenantId: string
  subject: string
  role: Role
}

/**
 * Throws `INVALID_PARAMETERS` for a user who is no member, and `FORBIDDEN` where the tenant would be left without an
 * owner.
 */
export async function setMemberRole(scope: Scope, input: MemberRole): Promise<Member> {
  const { tenantId } = input
  const subject = readParameter('subject', memberSubject, input.subject)
  const role = readParameter('role', memberRole, input.role)
  return await changeMembers(scope, tenantId, async em => {
    const member = await findMember(scope, em, tenantId, subject)
    if (member.role === role) return member
    await keepAnOwner(em, member)
    const changes = { from: member.role, to: role }
    member.role = role
    recordAuditEvent(scope, em, { tenantId, action: 'member.set_role', target: subject, changes })
    return member
  })
}
