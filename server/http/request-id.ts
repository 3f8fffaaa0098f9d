import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'

export const requestIdHeader = 'x-request-id'

/** Generates the request id, which appears in the response header, in error envelopes and in every log line. */
export const requestId: Middleware = async (ctx, next) => {
  ctx.state.requestId = randomUUID()
  await next()
  if (!ctx.headerSent) ctx.set(requestIdHeader, requestIdOf(ctx))
}

export function requestIdOf(ctx: Context): string {
  return ctx.state.requestId as string
}
