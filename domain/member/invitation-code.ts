import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { DomainError } from '../errors.ts'
import { Invitation, type InvitationState } from './invitation.entity.ts'
import { Member, type MemberUser } from './member.entity.ts'

/** SHA-256, hex: the form in which a code is stored. */
export function hashInvitationCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** The invitation with the code, in whatever state. Throws `NOT_PROVISIONED` for an unknown code. */
export async function findInvitation(
  em: EntityManager,
  code: string,
  { refresh = false } = {},
): Promise<Invitation> {
  const found = await em.findOne(Invitation, { codeHash: hashInvitationCode(code) }, { refresh })
  if (!found) throw unusableInvitation('This invitation does not exist. Check the link.')
  return found
}

/** Throws `NOT_PROVISIONED` unless the invitation can be accepted now. */
export function requireOpenInvitation(invitation: Invitation, now: Date): void {
  const state = invitation.state(now)
  if (state !== 'open') throw unusableInvitation(reasons[state])
}

const reasons: Record<Exclude<InvitationState, 'open'>, string> = {
  accepted: 'This invitation was already accepted. Ask an owner of the tenant for a new one.',
  revoked: 'This invitation was revoked. Ask an owner of the tenant for a new one.',
  expired: 'This invitation has expired. Ask an owner of the tenant for a new one.',
}

/** Throws `NOT_PROVISIONED` for a user who is a member already. */
export async function requireNoMember(
  em: EntityManager,
  user: MemberUser & { tenantId: string },
): Promise<void> {
  if (await em.count(Member, user)) throw unusableInvitation('You are already a member of this tenant.')
}

/** The message never contains the code. */
export function unusableInvitation(message: string): DomainError {
  return new DomainError('NOT_PROVISIONED', { message })
}
