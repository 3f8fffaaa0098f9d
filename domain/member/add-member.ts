import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { Role } from '../permissions.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { changeTenant } from '../tenant/find-tenant.ts'
import { changeRole, findMember } from './change-members.ts'
import { createMember } from './create-member.ts'
import type { Member } from './member.entity.ts'
import { memberRole, memberSubject } from './member.policy.ts'

export interface NewMember {
  /** The user's subject at the sign-in provider in use. */
  subject: string
  role: Role
}

/**
 * Adds a user to the tenant without an invitation, or changes the role of an existing member. Throws as
 * `setMemberRole` and `createMember` do.
 */
export async function addMember(scope: TenantOperatorScope, input: NewMember): Promise<Member> {
  const subject = readParameter('subject', memberSubject, input.subject)
  const role = readParameter('role', memberRole, input.role)
  const { tenantId } = scope.actor
  const { memberIssuer: issuer } = scope.rules
  return await changeTenant(scope, async em => {
    const member = await findMember(scope, em, { issuer, subject })
    if (member) {
      await changeRole(scope, em, member, role)
      return member
    }
    const added = await createMember(scope, em, { tenantId, issuer, subject, role, lastSeenAt: null })
    recordAuditEvent(scope, em, { action: 'member.add', target: subject, changes: { role } })
    return added
  })
}
