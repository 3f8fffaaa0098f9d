import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'

export const requestIdHeader = 'x-request-id'

/** Generates the request id, which appears in the response header, in error envelopes and in every log line. */
export const requestId: Middleware = (ctx, next) => {
  const id = randomUUID()
  ctx.state.requestId = id
  ctx.set(requestIdHeader, id)
  return next()
}

export function requestIdOf(ctx: Context): string {
  return ctx.state.requestId as string
}
