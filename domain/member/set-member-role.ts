import { readParameter } from '../parameters.ts'
import type { Role } from '../permissions.ts'
import type { TenantScope } from '../scope.ts'
import { changeTenant } from '../tenant/find-tenant.ts'
import { changeRole, getMember } from './change-members.ts'
import type { Member } from './member.entity.ts'
import { memberRole, memberSubject } from './member.policy.ts'

export interface MemberRole {
  subject: string
  role: Role
}

/**
 * Throws `INVALID_PARAMETERS` for a user who is not a member, and `FORBIDDEN` if the tenant would be left without
 * an owner who can sign in.
 */
export async function setMemberRole(scope: TenantScope, input: MemberRole): Promise<Member> {
  const subject = readParameter('subject', memberSubject, input.subject)
  const role = readParameter('role', memberRole, input.role)
  return await changeTenant(scope, async em => {
    const member = await getMember(scope, em, { issuer: scope.rules.memberIssuer, subject })
    await changeRole(scope, em, member, role)
    return member
  })
}
