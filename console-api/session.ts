import { z } from 'zod'
import { listMemberships } from '#domain/member/list-memberships.ts'
import { roles } from '#domain/member/member.policy.ts'
import { noInput } from './fields.ts'
import { router, userProcedure } from './trpc.ts'

const membership = z.object({
  tenantId: z.string(),
  tenantName: z.string(),
  role: z.enum(roles),
  enabled: z.boolean(),
})

const me = z.object({
  subject: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  memberships: z.array(membership),
})

export const sessionRouter = router({
  me: userProcedure
    .input(noInput)
    .output(me)
    .query(async ({ ctx: { scope, user } }) => ({
      subject: user.subject,
      name: user.name ?? null,
      email: user.email ?? null,
      memberships: await listMemberships(scope, user),
    })),
})
