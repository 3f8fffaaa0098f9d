import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { changeMembers, changeRole, findMember, memberIssuer } from './change-members.ts'
import { Member } from './member.entity.ts'
import type { Role } from './member.policy.ts'
import { memberRole, memberSubject } from './member-fields.ts'

export interface NewMember {
  /** The user's subject at the sign-in provider. */
  subject: string
  role: Role
}

/** Adds a user to the tenant, or changes the role of an existing member. Throws as `setMemberRole` does. */
export async function addMember(scope: TenantScope, input: NewMember): Promise<Member> {
  const subject = readParameter('subject', memberSubject, input.subject)
  const role = readParameter('role', memberRole, input.role)
  return await changeMembers(scope, async em => {
    const member = await findMember(scope, em, subject)
    if (member) {
      await changeRole(scope, em, member, role)
      return member
    }
    recordAuditEvent(scope, em, { action: 'member.add', target: subject, changes: { role } })
    const { tenantId } = scope.actor
    return em.create(Member, { tenantId, issuer: memberIssuer(scope), subject, role, addedAt: scope.now })
  })
}
