import { z } from 'zod'
import { listMemberships } from '#domain/member/list-memberships.ts'
import { rights, rightsOf, roles } from '#domain/member/member.policy.ts'
import { noInput } from './fields.ts'
import { router, userProcedure } from './trpc.ts'

const membership = z.object({
  tenantId: z.string(),
  tenantName: z.string(),
  role: z.enum(roles),
  /** What the role permits, so that clients need no copy of the rules. */
  rights: z.array(z.enum(rights)),
  /** Whether the tenant is enabled; a disabled one can be read but not changed. */
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
    .query(async ({ ctx: { scope, user } }) => {
      const memberships = await listMemberships(scope, user)
      return {
        subject: user.subject,
        name: user.name ?? null,
        email: user.email ?? null,
        memberships: memberships.map(each => ({ ...each, rights: rightsOf(each.role) })),
      }
    }),
})
