import { z } from 'zod'
import { createInvitation } from '#domain/member/create-invitation.ts'
import type { Invitation } from '#domain/member/invitation.entity.ts'
import { invitationDays } from '#domain/member/invitation.policy.ts'
import { listInvitations } from '#domain/member/list-invitations.ts'
import { findRequiredOwner, listMembers } from '#domain/member/list-members.ts'
import type { Member } from '#domain/member/member.entity.ts'
import { leaveTenant, removeMember } from '#domain/member/remove-member.ts'
import { revokeInvitation } from '#domain/member/revoke-invitation.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { roles } from '#domain/permissions.ts'
import { boundedText, pageFields, pageSchema, timestamp } from './fields.ts'
import { memberProcedure, readProcedure, router } from './trpc.ts'

const role = z.enum(roles)

const member = z.object({
  subject: z.string(),
  /** Members of a former sign-in provider can't sign in any more. */
  issuer: z.string(),
  role,
  addedAt: timestamp,
  /** To the day; null for a user who has not signed in since they were added. */
  lastSeenAt: timestamp.nullable(),
})

const listedMember = member.extend({
  /** From the member's last sign-in; null if it gave none. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  isCaller: z.boolean(),
})

/** The owner whom a tenant can't lose: they can neither leave, be removed nor get another role. Null if each could go. */
const requiredOwner = z.object({ subject: z.string(), issuer: z.string() }).nullable()

/** An invitation without its code: only a hash is stored. */
const invitation = z.object({
  invitationId: z.string(),
  role,
  /** Whom it is for, in the inviter's words. */
  note: z.string().nullable(),
  inviter: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
})

const listedInvitation = invitation.extend({
  /** The inviter's name or e-mail address; null if neither is known. */
  inviterName: z.string().nullable(),
})

const validForDays = z.int().min(invitationDays.min).max(invitationDays.max)

/** A subject identifies a user at the caller's sign-in provider. */
export const membersRouter = router({
  /** Oldest first; with `search`, those with the text in their name, e-mail address, subject or role. */
  list: memberProcedure('read')
    .input(z.strictObject({ ...pageFields, search: boundedText.optional() }).prefault({}))
    .output(pageSchema(listedMember).extend({ requiredOwner }))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor } = await listMembers(scope, input)
      const { issuer, subject } = scope.actor
      const present = (each: Member) => ({
        ...presentMember(each),
        name: each.name ?? null,
        email: each.email ?? null,
        isCaller: each.subject === subject && each.issuer === issuer,
      })
      const required = await findRequiredOwner(scope)
      return {
        items: items.map(present),
        nextCursor,
        requiredOwner: required && { subject: required.subject, issuer: required.issuer },
      }
    }),

  setRole: memberProcedure('members')
    .input(z.strictObject({ subject: boundedText, role }))
    .output(member)
    .mutation(async ({ ctx: { scope }, input }) => presentMember(await setMemberRole(scope, input))),

  /** `issuer` names a member of a former sign-in provider. */
  remove: memberProcedure('members')
    .input(z.strictObject({ subject: boundedText, issuer: boundedText.optional() }))
    .output(z.object({ subject: z.string() }))
    .mutation(async ({ ctx: { scope }, input }) => {
      await removeMember(scope, input)
      return { subject: input.subject }
    }),

  /** For every role; only the last owner can't leave. */
  leave: readProcedure.output(z.object({ tenantId: z.string() })).mutation(async ({ ctx: { scope } }) => {
    await leaveTenant(scope)
    return { tenantId: scope.actor.tenantId }
  }),

  /** The only response that contains the code. */
  invite: memberProcedure('members')
    .input(z.strictObject({ role, validForDays: validForDays.optional(), note: boundedText.optional() }))
    .output(invitation.extend({ code: z.string(), url: z.string() }))
    .mutation(async ({ ctx: { scope }, input }) => {
      const { invitation, code, url } = await createInvitation(scope, input)
      return { ...presentInvitation(invitation), code, url }
    }),

  /** The open ones, newest first; at most 50. */
  listInvitations: readProcedure.output(pageSchema(listedInvitation)).query(async ({ ctx: { scope } }) => {
    const found = await listInvitations(scope)
    const items = found.map(({ invitation, inviterName }) => ({
      ...presentInvitation(invitation),
      inviterName,
    }))
    return { items, nextCursor: null }
  }),

  revokeInvitation: memberProcedure('members')
    .input(z.strictObject({ invitationId: z.uuid() }))
    .output(z.object({ invitationId: z.string() }))
    .mutation(async ({ ctx: { scope }, input }) => {
      await revokeInvitation(scope, input)
      return { invitationId: input.invitationId }
    }),
})

function presentMember(found: Member): z.input<typeof member> {
  const { subject, issuer, role, addedAt, lastSeenAt = null } = found
  return { subject, issuer, role, addedAt, lastSeenAt }
}

function presentInvitation(found: Invitation): z.input<typeof invitation> {
  const { id, role, note = null, inviterSubject, createdAt, expiresAt } = found
  return { invitationId: id, role, note, inviter: inviterSubject, createdAt, expiresAt }
}
