import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { changeMembers, changeRole, findMember } from './change-members.ts'
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
    await changeRole(scope, em, member, role)
    return member
  })
}
