import { z } from 'zod'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { roles } from '#domain/member/member.policy.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { noInput, pageOf, timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

const member = z.object({ subject: z.string(), role: z.enum(roles), addedAt: timestamp })

const subjectAndRole = z.strictObject({ subject: z.string(), role: z.enum(roles) })

/** A subject is a user of the caller's own sign-in provider. */
export const membersRouter = router({
  list: memberProcedure('read')
    .input(noInput)
    .output(pageOf(member))
    .query(async ({ ctx: { scope, tenantId } }) => ({
      items: await listMembers(scope, { tenantId }),
      nextCursor: null,
    })),

  /** Adding a member again sets the role. */
  add: memberProcedure('members')
    .input(subjectAndRole)
    .output(member)
    .mutation(({ ctx: { scope, tenantId }, input }) => addMember(scope, { tenantId, ...input })),

  setRole: memberProcedure('members')
    .input(subjectAndRole)
    .output(member)
    .mutation(({ ctx: { scope, tenantId }, input }) => setMemberRole(scope, { tenantId, ...input })),

  remove: memberProcedure('members')
    .input(z.strictObject({ subject: z.string() }))
    .output(z.object({ subject: z.string() }))
    .mutation(async ({ ctx: { scope, tenantId }, input }) => {
      await removeMember(scope, { tenantId, subject: input.subject })
      return { subject: input.subject }
    }),
})
