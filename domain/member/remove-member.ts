import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { readParameter } from '../parameters.ts'
import type { MemberScope, TenantScope } from '../scope.ts'
import { changeTenant } from '../tenant/find-tenant.ts'
import { endMembership } from './change-members.ts'
import { memberIssuer, memberSubject } from './member.policy.ts'

export interface RemovedMember {
  subject: string
  /** The issuer in use if omitted. Members of a former sign-in provider are named by theirs. */
  issuer?: string | undefined
}

/** Throws as `setMemberRole` does. */
export async function removeMember(scope: TenantScope, input: RemovedMember): Promise<void> {
  const subject = readParameter('subject', memberSubject, input.subject)
  const issuer = readParameter('issuer', memberIssuer, input.issuer ?? scope.rules.memberIssuer)
  await changeTenant(scope, async em => {
    const ended = await endMembership(scope, em, { issuer, subject })
    const changes = { ...ended, ...(issuer !== scope.rules.memberIssuer && { issuer }) }
    recordAuditEvent(scope, em, { action: 'member.remove', target: subject, changes })
  })
}

/** Ends the acting member's membership. Throws `FORBIDDEN` for the last owner. */
export async function leaveTenant(scope: MemberScope): Promise<void> {
  const { issuer, subject } = scope.actor
  await changeTenant(scope, async em => {
    const changes = await endMembership(scope, em, { issuer, subject })
    recordAuditEvent(scope, em, { action: 'member.leave', target: subject, changes })
  })
}
