import { initTRPC } from '@trpc/server'
import { DomainError } from '#domain/errors.ts'
import { listMemberships } from '#domain/member/list-memberships.ts'
import { mayRole, type Right } from '#domain/member/member.policy.ts'
import { chooseMembership } from './choose-membership.ts'
import type { ConsoleContext } from './context.ts'
import { formatError } from './errors.ts'
import { limitRate } from './rate-limit.ts'

/** What a procedure asks of its caller: a right in a tenant, or only to be signed in. */
export interface ProcedureMeta {
  right: Right | 'signed-in'
}

const t = initTRPC
  .context<ConsoleContext>()
  .meta<ProcedureMeta>()
  .create({ isDev: false, errorFormatter: formatError })

export const router = t.router

/** For anyone who is signed in, with or without a tenant. */
export const userProcedure = t.procedure.meta({ right: 'signed-in' }).use(async ({ ctx, next }) => {
  const user = await ctx.authenticate()
  await limitRate(ctx.limiter, user, ctx.clock())
  const scope = ctx.createScope({ kind: 'user', issuer: user.issuer, subject: user.subject, ip: ctx.ip })
  return next({ ctx: { user, scope } })
})

/**
 * For members whose role gives them the right. The order is that of the tenant API: tenant, tenant disabled,
 * permission. A disabled tenant can still be looked at, so that its members see what has happened.
 */
export function memberProcedure(right: Right) {
  return userProcedure.meta({ right }).use(async ({ ctx, type, next }) => {
    const { user } = ctx
    const { tenantId, role, enabled } = chooseMembership(
      await listMemberships(ctx.scope, user),
      ctx.tenantHeader,
    )
    if (type !== 'query' && !enabled) throw new DomainError('TENANT_INACTIVE')
    if (!mayRole(role, right)) {
      throw new DomainError('FORBIDDEN', { message: `The role "${role}" does not permit this.` })
    }
    const { issuer, subject } = user
    const scope = ctx.createScope({ kind: 'member', tenantId, issuer, subject, role, ip: ctx.ip })
    return next({ ctx: { scope, tenantId } })
  })
}
