import { hash } from 'node:crypto'
import { DomainError } from '#domain/errors.ts'
import { findOwnMemberships, type Membership } from '#domain/member/list-memberships.ts'
import { hasRight, type Right } from '#domain/permissions.ts'
import type { RequestCounter } from '#domain/ports.ts'
import { windowEnd } from '#domain/rate-window.ts'
import type { MemberScope, UserScope } from '#domain/scope.ts'
import { secondsUntil } from '#domain/usage/usage-period.ts'
import { type User, userKey } from './authenticate.ts'
import type { ConsoleContext } from './context.ts'

/** Calls per minute and user. Every call of a batch counts. */
export const callsPerMinute = 600

/** Who calls. Throws as `authenticate` and `limitRate` do. */
export async function callOfUser(ctx: ConsoleContext): Promise<{ user: User; scope: UserScope }> {
  const user = await ctx.authenticate()
  await limitRate(ctx.counter, user, ctx.now)
  const scope = ctx.createScope({ kind: 'user', issuer: user.issuer, subject: user.subject, ip: ctx.ip })
  return { user, scope }
}

/** Counts a call. Throws `RATE_LIMIT_EXCEEDED` with the seconds to wait, or `REDIS_ERROR`. */
async function limitRate(counter: RequestCounter, user: User, now: Date): Promise<void> {
  const count = await counter.count(`console:${hash('sha256', userKey(user))}`, now)
  if (count <= callsPerMinute) return
  throw new DomainError('RATE_LIMIT_EXCEEDED', {
    details: { retryAfterSeconds: secondsUntil(windowEnd(now), now) },
  })
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

/**
 * The membership that a request applies to, of those that `findOwnMemberships` found: the only one, or the one selected
 * by tenant id. A tenant that the user does not belong to gives the same error as one that does not exist, so that its
 * existence is not disclosed.
 */
function chooseMembership(memberships: Membership[], selected: string | undefined): Membership {
  if (selected !== undefined) {
    const chosen = memberships.find(membership => membership.tenantId === selected.toLowerCase())
    if (!chosen) throw notMember('You do not belong to the tenant that the header x-tenant-id selects.')
    return chosen
  }
  const [only, ...others] = memberships
  if (!only) throw notMember('You do not belong to a tenant. Create one, or ask for an invitation.')
  if (others.length > 0) {
    throw new DomainError('INVALID_PARAMETERS', {
      message: 'You belong to several tenants. Select one with the header x-tenant-id.',
    })
  }
  return only
}

function notMember(message: string): DomainError {
  return new DomainError('TENANT_NOT_PROVISIONED', { message })
}
