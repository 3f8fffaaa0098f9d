import { DomainError } from '#domain/errors.ts'
import { findOwnMemberships } from '#domain/member/list-memberships.ts'
import { hasRight, type Right } from '#domain/permissions.ts'
import type { MemberScope, UserScope } from '#domain/scope.ts'
import type { User } from './authenticate.ts'
import { chooseMembership } from './choose-membership.ts'
import type { ConsoleContext } from './context.ts'
import { limitRate } from './rate-limit.ts'

/** Who calls. Throws as `authenticate` and `limitRate` do. */
export async function callOfUser(ctx: ConsoleContext): Promise<{ user: User; scope: UserScope }> {
  const user = await ctx.authenticate()
  await limitRate(ctx.limiter, user, ctx.now)
  const scope = ctx.createScope({ kind: 'user', issuer: user.issuer, subject: user.subject, ip: ctx.ip })
  return { user, scope }
}

/**
 * The scope of a member whose role has the right, bound to the member's tenant. Checks run in the order of the tenant API:
 * membership, tenant disabled, permission. Members can still read a disabled tenant.
 */
export async function callOfMember(
  ctx: ConsoleContext,
  scope: UserScope,
  { right, isRead }: { right: Right; isRead: boolean },
): Promise<MemberScope> {
  const memberships = await findOwnMemberships(scope, ctx.tenantHeader)
  const { tenantId, role, enabled } = chooseMembership(memberships, ctx.tenantHeader)
  if (!isRead && !enabled) throw new DomainError('TENANT_INACTIVE')
  if (!hasRight(role, right)) {
    throw new DomainError('FORBIDDEN', { message: `The role "${role}" does not permit this.` })
  }
  const { issuer, subject } = scope.actor
  return ctx.createScope({ kind: 'member', tenantId, issuer, subject, role, ip: ctx.ip })
}
