import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { changeMembers, changeRole, memberIssuer } from './change-members.ts'
import { Member } from './member.entity.ts'
import { memberRole, memberSubject, type Role } from './member.policy.ts'

export interface NewMember {
  tenantId: string
  /** As the sign-in provider knows the user. */
  subject: string
  role: Role
}

/** Adds a user to the tenant; one who is a member already gets the role. Throws as `setMemberRole` does. */
export async function addMember(scope: Scope, input: NewMember): Promise<Member> {
  const { tenantId } = input
  const subject = readParameter('subject', memberSubject, input.subject)
  const role = readParameter('role', memberRole, input.role)
  const issuer = memberIssuer(scope)
  return await changeMembers(scope, tenantId, async em => {
    const member = await em.findOne(Member, { tenantId, issuer, subject })
    if (member) {
      await changeRole(scope, em, member, role)
      return member
    }
    recordAuditEvent(scope, em, { tenantId, action: 'member.add', target: subject, changes: { role } })
    return em.create(Member, { tenantId, issuer, subject, role, addedAt: scope.now })
  })
}
