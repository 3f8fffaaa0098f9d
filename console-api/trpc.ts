import { initTRPC } from '@trpc/server'
import type { Right } from '#domain/permissions.ts'
import { userKey } from './authenticate.ts'
import { callOfMember, callOfUser } from './calls.ts'
import type { ConsoleContext } from './context.ts'
import { formatError } from './errors.ts'
import { noInput } from './fields.ts'

/** What a procedure requires of its caller: a right in a tenant, or only a valid sign-in. */
export interface ProcedureMeta {
  right: Right | 'signed-in'
}

const t = initTRPC
  .context<ConsoleContext>()
  .meta<ProcedureMeta>()
  .create({ isDev: false, errorFormatter: formatError })

export const router = t.router

/** For any signed-in user, with or without a tenant. */
export const userProcedure = t.procedure.meta({ right: 'signed-in' }).use(async ({ ctx, next }) => {
  const { user, scope } = await callOfUser(ctx)
  return await ctx.userCalls.run(userKey(user), scope.request, () => next({ ctx: { user, scope } }))
})

/** For members whose role has the right. `scope` is bound to the member's tenant; inputs never name a tenant. */
export function memberProcedure(right: Right) {
  return userProcedure.meta({ right }).use(async ({ ctx, type, next }) => {
    const scope = await callOfMember(ctx, ctx.scope, { right, isRead: type === 'query' })
    return next({ ctx: { scope } })
  })
}

/** Without input, for every member. */
export const readProcedure = memberProcedure('read').input(noInput)
