import { initTRPC } from '@trpc/server'
import type { Right } from '#domain/member/member.policy.ts'
import { traced } from '#domain/tracing.ts'
import { callOfMember, callOfUser } from './calls.ts'
import type { ConsoleContext } from './context.ts'
import { domainErrorOfCall, formatError } from './errors.ts'

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
  const { user, scope } = await callOfUser(ctx)
  return await ctx.userCalls.run(user, () => next({ ctx: { user, scope } }))
})

/** For members whose role has the right. `scope` is bound to the member's tenant; inputs never name a tenant. */
export function memberProcedure(right: Right) {
  return userProcedure.meta({ right }).use(async ({ ctx, type, next }) => {
    const scope = await callOfMember(ctx, ctx.scope, { right, isRead: type === 'query' })
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
