import { initTRPC } from '@trpc/server'
import { DomainError } from '#domain/errors.ts'
import { listOwnMemberships } from '#domain/member/list-memberships.ts'
import { hasRight, type Right } from '#domain/member/member.policy.ts'
import { traced } from '#domain/tracing.ts'
import { chooseMembership } from './choose-membership.ts'
import type { ConsoleContext } from './context.ts'
import { domainErrorOfCall, formatError } from './errors.ts'
import { limitRate } from './rate-limit.ts'

/** What a procedure requires of its caller: a right in a tenant, or only a valid sign-in. */
export interface ProcedureMeta {
  right: Right | 'signed-in'
  /** Whether a standby of the database may answer, with data that may be 10 s old. */
  mayReadStandby?: boolean
}

const t = initTRPC
  .context<ConsoleContext>()
  .meta<ProcedureMeta>()
  .create({ isDev: false, errorFormatter: formatError })

export const router = t.router

const tracedProcedure = t.procedure.use(({ path: name, next }) =>
  traced({ kind: 'verb', name }, async () => await next()),
)

/** For any signed-in user, with or without a tenant. */
export const userProcedure = tracedProcedure.meta({ right: 'signed-in' }).use(async ({ ctx, next }) => {
  const user = await ctx.authenticate()
  await limitRate(ctx.limiter, user, ctx.now)
  const scope = ctx.createScope({ kind: 'user', issuer: user.issuer, subject: user.subject, ip: ctx.ip })
  return next({ ctx: { user, scope } })
})

/**
 * For members whose role has the right. `scope` is bound to the member's tenant; inputs never name a tenant. Checks
 * run in the order of the tenant API: membership, tenant disabled, permission. Members can still read a disabled
 * tenant.
 */
export function memberProcedure(right: Right) {
  return userProcedure.meta({ right }).use(async ({ ctx, type, next }) => {
    const { user } = ctx
    const memberships = await listOwnMemberships(ctx.scope)
    const { tenantId, role, enabled } = chooseMembership(memberships, ctx.tenantHeader)
    if (type !== 'query' && !enabled) throw new DomainError('TENANT_INACTIVE')
    if (!hasRight(role, right)) {
      throw new DomainError('FORBIDDEN', { message: `The role "${role}" does not permit this.` })
    }
    const { issuer, subject } = user
    const scope = ctx.createScope({ kind: 'member', tenantId, issuer, subject, role, ip: ctx.ip })
    return next({ ctx: { scope } })
  })
}

/**
 * For lists and statistics, which a standby of the database answers if there is one. Who calls, and with which rights,
 * is read from the primary. A read that fails on the standby is repeated there.
 */
export function standbyProcedure(right: Right) {
  return memberProcedure(right)
    .meta({ right, mayReadStandby: true })
    .use(async ({ ctx, type, next }) => {
      const { scope, standby } = ctx
      const onStandby = await standby?.scopeOn(scope)
      if (!standby || !onStandby) return next()
      const result = await next({ ctx: { scope: onStandby } })
      if (result.ok || domainErrorOfCall(result.error, type).code !== 'DATABASE_ERROR') return result
      standby.failed()
      return next()
    })
}
