import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { changeMembers, memberIssuer } from './change-members.ts'
import { Member } from './member.entity.ts'
import { memberRole, memberSubject, type Role } from './member.policy.ts'
import { setMemberRole } from './set-member-role.ts'

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
  const added = await changeMembers(scope, tenantId, async em => {
    if (await em.count(Member, { tenantId, issuer, subject })) return undefined
    recordAuditEvent(scope, em, { tenantId, action: 'member.add', target: subject, changes: { role } })
    return em.create(Member, { tenantId, issuer, subject, role, addedAt: scope.now })
  })
  return added ?? (await setMemberRole(scope, { tenantId, subject, role }))
}
