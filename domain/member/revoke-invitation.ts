import { validate } from 'uuid'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { changeTenant } from '../tenant/find-tenant.ts'
import { Invitation } from './invitation.entity.ts'
import { unusableInvitation } from './invitation-code.ts'

/**
 * Makes the link of an invitation useless. Revoking again, or after its expiry, changes nothing. Throws
 * `INVALID_PARAMETERS` for an unknown invitation, and `NOT_PROVISIONED` for one that was accepted.
 */
export async function revokeInvitation(scope: TenantScope, input: { invitationId: string }): Promise<void> {
  const { invitationId } = input
  const { tenantId } = scope.actor
  if (!validate(invitationId)) throw unknownInvitation(invitationId)
  await changeTenant(scope, async em => {
    const invitation = await em.findOne(Invitation, { tenantId, id: invitationId })
    if (!invitation) throw unknownInvitation(invitationId)
    const state = invitation.state(scope.now)
    if (state === 'accepted') {
      throw unusableInvitation('This invitation was already accepted. Remove the member instead.')
    }
    if (state !== 'open') return
    invitation.revokedAt = scope.now
    const changes = { role: invitation.role }
    recordAuditEvent(scope, em, { action: 'invitation.revoke', target: invitationId, changes })
  })
}

function unknownInvitation(invitationId: string) {
  return invalidParameter('invitationId', `No invitation has the id ${invitationId}.`)
}
