import type { Context, Middleware } from 'koa'
import type { Log } from '../log.ts'
import { requestIdOf } from './request-id.ts'

export interface RequestFields {
  tenantId?: string
  /** The declared route, never the path that was asked for: that can hold anything. */
  route?: string
}

const described = new WeakMap<object, RequestFields>()

/** Adds what a later step knows of the request to its line in the log. */
export function describeRequest(ctx: object, fields: RequestFields): void {
  described.set(ctx, { ...described.get(ctx), ...fields })
}

/** One line per request, when its answer has been sent or its client has gone away. */
export function accessLog(log: Log): Middleware {
  return (ctx, next) => {
    const begun = performance.now()
    ctx.res.once('close', () => writeLine(log, ctx, performance.now() - begun))
    return next()
  }
}

function writeLine(log: Log, ctx: Context, elapsedMs: number): void {
  const { tenantId, route = matchedRoute(ctx) } = described.get(ctx) ?? {}
  log.info(
    {
      requestId: requestIdOf(ctx),
      ...(tenantId === undefined ? {} : { tenantId }),
      method: ctx.method,
      route,
      status: ctx.res.statusCode,
      durationMs: Math.round(elapsedMs * 10) / 10,
      ...(ctx.res.writableFinished ? {} : { aborted: true }),
    },
    'request',
  )
}

/** The pattern that a router matched. */
function matchedRoute(ctx: Context): string {
  return typeof ctx._matchedRoute === 'string' ? `${ctx.method} ${ctx._matchedRoute}` : 'none'
}
