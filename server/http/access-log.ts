import type { Context, Middleware } from 'koa'
import type { Log } from '../log.ts'
import { requestIdOf } from './request-id.ts'

export interface RequestFields {
  tenantId?: string
  /** The declared route, never the requested path, which can contain anything. */
  route?: string
}

/** Adds fields to the access log line of the request. */
export function describeRequest(ctx: Context, fields: RequestFields): void {
  Object.assign(ctx.state, fields)
}

/** Logs one line per request when its response has been sent or its client has disconnected. */
export function accessLog(log: Log): Middleware {
  return (ctx, next) => {
    const startedAt = performance.now()
    ctx.res.once('close', () => writeLine(log, ctx, performance.now() - startedAt))
    return next()
  }
}

function writeLine(log: Log, ctx: Context, elapsedMs: number): void {
  const { tenantId, route = matchedRoute(ctx) }: RequestFields = ctx.state
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
