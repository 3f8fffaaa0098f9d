import { z } from 'zod'
import { acceptInvitation } from '#domain/invitation/accept-invitation.ts'
import { getInvitation } from '#domain/invitation/get-invitation.ts'
import { listOwnMemberships } from '#domain/member/list-memberships.ts'
import { rights, rightsOf, roles } from '#domain/member/member.policy.ts'
import { provisioningState, provisioningStates } from '#domain/tenant/provision-tenant.ts'
import { noInput, timestamp } from './fields.ts'
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
  /** At most 100. */
  memberships: z.array(membership),
  /** Whether the user could provision a tenant if they belonged to none. */
  provisioning: z.enum(provisioningStates),
})

/** Longer than any code. An unknown code is an error of its own, whatever it looks like. */
const codeLengthMax = 256

const invitationCode = z.strictObject({ code: z.string().max(codeLengthMax) })

export const sessionRouter = router({
  me: userProcedure
    .input(noInput)
    .output(me)
    .query(async ({ ctx: { scope, user } }) => {
      const memberships = await listOwnMemberships(scope)
      return {
        subject: user.subject,
        name: user.name ?? null,
        email: user.email ?? null,
        memberships: memberships.map(each => ({ ...each, rights: rightsOf(each.role) })),
        provisioning: await provisioningState(scope, scope.em),
      }
    }),

  /** What the holder of an invitation's code is invited to. */
  invitation: userProcedure
    .input(invitationCode)
    .output(
      z.object({
        tenantName: z.string(),
        role: z.enum(roles),
        inviter: z.string(),
        expiresAt: timestamp,
      }),
    )
    .query(({ ctx: { scope }, input }) => getInvitation(scope, input)),

  /** Makes the caller a member. A code works for one person. */
  acceptInvitation: userProcedure
    .input(invitationCode)
    .output(z.object({ tenantId: z.string(), role: z.enum(roles) }))
    .mutation(({ ctx: { scope }, input }) => acceptInvitation(scope, input)),
})
