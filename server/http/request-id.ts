import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'

export const requestIdHeader = 'x-request-id'

/** Names the request; the name is on the answer, in its error envelope and in every log line about it. */
export const requestId: Middleware = (ctx, next) => {
  const id = randomUUID()
  ctx.state.requestId = id
  ctx.set(requestIdHeader, id)
  return next()
}

export function requestIdOf(ctx: Context): string {
  return ctx.state.requestId as string
}
