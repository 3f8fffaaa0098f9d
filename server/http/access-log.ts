import type { Context, Middleware } from 'koa'
import type { Log } from '../log.ts'
import { requestIdOf } from './request-id.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface RequestFields {
  tenantId?: string
  /** The declared route, never the requested path, which can contain anything. */
  route?: string
}

/** Adds fields to the access log line of the request. */
export function describeRequest(ctx: Context, fields: RequestFields): void {
  Object.assign(ctx.state, fields)
}

/** Logs one line per request, and counts it, when its response has been sent or its client has disconnected. */
export function accessLog(log: Log, metrics: RequestMetrics): Middleware {
  return (ctx, next) => {
    const startedAt = performance.now()
    ctx.res.once('close', () => {
      const elapsedMs = performance.now() - startedAt
      const { statusCode, writableFinished } = ctx.res
      metrics.requestCompleted(routeOf(ctx), writableFinished ? statusCode : undefined, elapsedMs / 1_000)
      writeLine(log, ctx, elapsedMs)
    })
    return next()
  }
}

/** The declared route of a request; `none` if none matched. */
export function routeOf(ctx: Context): string {
  const { route = matchedRoute(ctx) }: RequestFields = ctx.state
  return route
}

function writeLine(log: Log, ctx: Context, elapsedMs: number): void {
  const { tenantId }: RequestFields = ctx.state
  log.info(
    {
      requestId: requestIdOf(ctx),
      ...(tenantId === undefined ? {} : { tenantId }),
      method: ctx.method,
      route: routeOf(ctx),
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
