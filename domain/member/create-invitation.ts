import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { firstIdAt, newId, randomSecret } from '../ids.ts'
import { lineOfText, readParameter, wholeNumber } from '../parameters.ts'
import type { Role } from '../permissions.ts'
import type { MemberScope } from '../scope.ts'
import { changeTenant } from '../tenant/find-tenant.ts'
import { dayMs } from '../usage/usage-period.ts'
import { Invitation } from './invitation.entity.ts'
import {
  invitationDays,
  invitationNoteLengthMax,
  invitationsPerDayMax,
  openInvitationsMax,
} from './invitation.policy.ts'
import { hashInvitationCode, unusableInvitation } from './invitation-code.ts'
import { openInvitations } from './list-invitations.ts'
import { memberRole } from './member.policy.ts'

export interface NewInvitation {
  role: Role
  /** For how many days its link works, 1 to 30; 7 by default. */
  validForDays?: number | undefined
  /** Whom it is for, in the inviter's words, so that open invitations can be told apart. Only members see it. */
  note?: string | undefined
}

export interface CreatedInvitation {
  invitation: Invitation
  /** Available only now; the service stores a hash. */
  code: string
  /** Opens the invitation in the dashboard. The code is in the fragment, which browsers don't send to servers. */
  url: string
}

/**
 * Invites one person, whoever opens the link first. Throws `INVALID_PARAMETERS` for an unknown role, another number of
 * days or a longer note, and `NOT_PROVISIONED` if the tenant has 50 open invitations, or has created 500 within 24 hours.
 */
export async function createInvitation(scope: MemberScope, input: NewInvitation): Promise<CreatedInvitation> {
  const role = readParameter('role', memberRole, input.role)
  const validForDays = readParameter('validForDays', invitationValidity, input.validForDays)
  const note = readParameter('note', invitationNote, input.note) ?? null
  const { actor, now, rules } = scope
  const { tenantId } = actor
  const code = randomSecret()
  const expiresAt = new Date(now.getTime() + validForDays * dayMs)
  const invitation = await changeTenant(scope, async em => {
    if ((await em.count(Invitation, openInvitations(tenantId, now))) >= openInvitationsMax) {
      throw unusableInvitation(
        `This tenant has ${openInvitationsMax} open invitations, the maximum. Revoke one first.`,
      )
    }
    const dayAgo = firstIdAt(new Date(now.getTime() - dayMs))
    if ((await em.count(Invitation, { tenantId, id: { $gt: dayAgo } })) >= invitationsPerDayMax) {
      throw unusableInvitation(
        `This tenant has created ${invitationsPerDayMax} invitations within 24 hours, the maximum. Try again tomorrow.`,
      )
    }
    const created = em.create(Invitation, {
      tenantId,
      id: newId(now),
      role,
      codeHash: hashInvitationCode(code),
      inviterIssuer: actor.issuer,
      inviterSubject: actor.subject,
      createdAt: now,
      expiresAt,
      acceptedAt: null,
      acceptedByIssuer: null,
      acceptedBySubject: null,
      revokedAt: null,
      note,
    })
    // Without the note: it names a person, and the audit log is kept for years.
    const changes = { role, expiresAt: expiresAt.toISOString() }
    recordAuditEvent(scope, em, { action: 'invitation.create', target: created.id, changes })
    return created
  })
  return { invitation, code, url: `${rules.dashboardUrl}/invitations#${code}` }
}

const invitationNote = lineOfText('The note', invitationNoteLengthMax).optional()
const daysRule = `An invitation is valid for ${invitationDays.min} to ${invitationDays.max} days.`
const invitationValidity = wholeNumber(invitationDays, daysRule).default(invitationDays.default)
