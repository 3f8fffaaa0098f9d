import { z } from 'zod'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { roles } from '#domain/member/member.policy.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { boundedText, noInput, pageOf, timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

const member = z.object({ subject: z.string(), role: z.enum(roles), addedAt: timestamp })

const subjectAndRole = z.strictObject({ subject: boundedText, role: z.enum(roles) })

/** A subject identifies a user at the caller's sign-in provider. */
export const membersRouter = router({
  list: memberProcedure('read')
    .input(noInput)
    .output(pageOf(member))
    .query(async ({ ctx: { scope } }) => ({
      items: await listMembers(scope),
      nextCursor: null,
    })),

  /** Adding an existing member sets the role. */
  add: memberProcedure('members')
    .input(subjectAndRole)
    .output(member)
    .mutation(({ ctx: { scope }, input }) => addMember(scope, input)),

  setRole: memberProcedure('members')
    .input(subjectAndRole)
    .output(member)
    .mutation(({ ctx: { scope }, input }) => setMemberRole(scope, input)),

  remove: memberProcedure('members')
    .input(z.strictObject({ subject: boundedText }))
    .output(z.object({ subject: z.string() }))
    .mutation(async ({ ctx: { scope }, input }) => {
      await removeMember(scope, input)
      return { subject: input.subject }
    }),
})
