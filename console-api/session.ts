import { z } from 'zod'
import { acceptInvitation } from '#domain/member/accept-invitation.ts'
import { countMembers } from '#domain/member/count-members.ts'
import { getInvitation } from '#domain/member/get-invitation.ts'
import {
  findOwnMemberships,
  findOwnProfile,
  listOwnMemberships,
  type Membership,
} from '#domain/member/list-memberships.ts'
import { saveProfile } from '#domain/member/save-profile.ts'
import { listRights, rights, roles } from '#domain/permissions.ts'
import type { UserScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { provisioningState, provisioningStates } from '#domain/tenant/provision-tenant.ts'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { getDeliveryHealth } from '#domain/webhook/delivery-health.ts'
import type { ConsoleContext } from './context.ts'
import { failingDeliveries } from './deliveries.ts'
import { noInput, pageFields, pageSchema, timestamp } from './fields.ts'
import { router, userProcedure } from './trpc.ts'
import { monthUsage } from './usage.ts'

const membership = z.object({
  tenantId: z.string(),
  tenantName: z.string(),
  role: z.enum(roles),
  /** What the role permits, so that clients need no copy of the rules. */
  rights: z.array(z.enum(rights)),
  /** Whether the tenant is enabled; a disabled one can be read but not changed. */
  enabled: z.boolean(),
  /** Whether it is a test tenant: its verifications are simulated. */
  test: z.boolean(),
})

const profile = z.object({ name: z.string().nullable(), email: z.string().nullable() })

/** How the service treats a tenant: what its members have to know on every page. */
const standing = z.object({
  tenantId: z.string(),
  subscription: z.enum(['active', 'inactive']),
  usage: monthUsage,
  members: z.int(),
  /** Set while the webhook receiver accepts no events. */
  failingDeliveries: failingDeliveries.nullable(),
})

const me = z.object({
  subject: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** The first page of `session.memberships`. */
  memberships: z.array(membership),
  /** The cursor of its next page; null if there is none. */
  nextMemberships: z.string().nullable(),
  /** What other members see of the caller; null while it is not stored in every membership. */
  storedProfile: profile.nullable(),
  /** Whether the user could provision a tenant if they belonged to none. */
  provisioning: z.enum(provisioningStates),
  /** Whether a new tenant can be a test tenant; `only`: it is always one. */
  testTenants: z.enum(['off', 'allowed', 'only']),
  /** Of the tenant that `x-tenant-id` selects, else of the first one; null for a user without it. */
  standing: standing.nullable(),
})

/** Nearly all users belong to fewer tenants. */
const membershipsPerPage = 100

const withRights = (each: Membership) => ({ ...each, rights: listRights(each.role) })

/** Longer than any code. An unknown code is an error of its own, whatever it looks like. */
const codeLengthMax = 256

/** As many characters as fit into a header of 16 KiB, in which providers put tokens, too. */
const idTokenLengthMax = 16_384

const invitationCode = z.strictObject({ code: z.string().max(codeLengthMax) })

export const sessionRouter = router({
  me: userProcedure
    .input(noInput)
    .output(me)
    .query(async ({ ctx }) => {
      const { scope, user } = ctx
      const { items, nextCursor } = await listOwnMemberships(scope, { limit: membershipsPerPage })
      return {
        subject: user.subject,
        name: user.name ?? null,
        email: user.email ?? null,
        memberships: items.map(withRights),
        nextMemberships: nextCursor,
        storedProfile: await findOwnProfile(scope),
        provisioning: await provisioningState(scope, scope.em),
        testTenants: scope.rules.testTenants,
        standing: await readStanding(ctx, ctx.tenantHeader ?? items[0]?.tenantId),
      }
    }),

  /** The tenants that the caller belongs to, oldest membership first. */
  memberships: userProcedure
    .input(z.strictObject(pageFields).prefault({}))
    .output(pageSchema(membership))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor } = await listOwnMemberships(scope, input)
      return { items: items.map(withRights), nextCursor }
    }),

  /**
   * Stores name and e-mail address in the caller's memberships, from an ID token that the sign-in provider has issued to
   * the dashboard for the caller.
   */
  saveProfile: userProcedure
    .input(z.strictObject({ idToken: z.string().max(idTokenLengthMax) }))
    .output(profile)
    .mutation(async ({ ctx, input }) => {
      const claims = await ctx.readIdToken(input.idToken, ctx.user)
      return await saveProfile(ctx.scope, claims)
    }),

  /** What the holder of an invitation's code is invited to. A mutation only because URLs are logged, and the code is a secret. */
  invitation: userProcedure
    .input(invitationCode)
    .output(
      z.object({
        tenantName: z.string(),
        role: z.enum(roles),
        inviter: z.string(),
        inviterName: z.string().nullable(),
        expiresAt: timestamp,
      }),
    )
    .mutation(({ ctx: { scope }, input }) => getInvitation(scope, input)),

  /** Makes the caller a member. A code works for one person. */
  acceptInvitation: userProcedure
    .input(invitationCode)
    .output(z.object({ tenantId: z.string(), role: z.enum(roles) }))
    .mutation(({ ctx: { scope }, input }) => acceptInvitation(scope, input)),
})

async function readStanding(
  ctx: ConsoleContext & { scope: UserScope },
  selected: string | undefined,
): Promise<z.input<typeof standing> | null> {
  const [found] = selected === undefined ? [] : await findOwnMemberships(ctx.scope, selected)
  if (!found) return null
  const { tenantId, role } = found
  const { issuer, subject } = ctx.scope.actor
  const scope = ctx.createScope({ kind: 'member', tenantId, issuer, subject, role, ip: ctx.ip })
  const { subscription } = await findTenant(scope)
  const [usage, members] = [await currentUsage(scope), await countMembers(scope)]
  const { failing: failingDeliveries } = await getDeliveryHealth(scope)
  return { tenantId, subscription, usage, members, failingDeliveries }
}
