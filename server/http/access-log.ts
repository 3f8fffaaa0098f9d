import type { Context, Middleware } from 'koa'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { RequestParts } from '#domain/scope.ts'
import type { Log } from '../logging/log.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { createLineBudget } from './line-budget.ts'
import { getRequestIds } from './request-id.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface RequestFields {
  tenantId?: string
  apiKeyId?: string
  verificationId?: string
  /** The declared route, never the requested path, which can contain anything. */
  route?: string
  /** The procedures of the console that were called, separated by commas; only known ones. */
  procedure?: string
  /** The code of the error that was sent. */
  code?: ErrorCode
  /** Why, where the code alone doesn't say it; one of a closed list. */
  reason?: string
}

/** Of a request that waits for an event, or has waited; times in milliseconds. */
interface RequestWait {
  waitingSince?: number | undefined
  waitedMs?: number
}

/** Adds fields to the access log line of the request. */
export function describeRequest(ctx: Context, fields: RequestFields): void {
  Object.assign(ctx.state, fields)
}

/** Says that the request begins or ends to wait for an event. */
export function setWaiting(ctx: Context, isWaiting: boolean): void {
  const state: RequestWait = ctx.state
  state.waitedMs = sumWaits(state)
  state.waitingSince = isWaiting ? performance.now() : undefined
}

function sumWaits({ waitingSince, waitedMs = 0 }: RequestWait): number {
  return waitingSince === undefined ? waitedMs : waitedMs + performance.now() - waitingSince
}

/**
 * Logs one line per request, and counts it, when its response has been sent or its client has disconnected. Health probes
 * are logged at the level debug; of requests without a tenant, no more than some a second. The time for which a request has
 * waited for an event is not part of the durations that are counted.
 */
export function accessLog(log: Log, metrics: RequestMetrics): Middleware {
  const mayWrite = createLineBudget(log)
  return (ctx, next) => {
    const startedAt = performance.now()
    ctx.res.once('close', () => {
      const elapsedMs = performance.now() - startedAt
      const { statusCode, writableFinished } = ctx.res
      const waitedMs = sumWaits(ctx.state)
      const seconds = (elapsedMs - waitedMs) / 1_000
      const route = findRoute(ctx)
      metrics.requestCompleted(route, writableFinished ? statusCode : undefined, seconds)
      const { tenantId }: RequestFields = ctx.state
      if (route.includes(healthPrefix)) log.debug(toLine(ctx, { elapsedMs, waitedMs }), 'request')
      else if (tenantId !== undefined || mayWrite()) log.info(toLine(ctx, { elapsedMs, waitedMs }), 'request')
    })
    return next()
  }
}

/** Part of the routes of health probes, with any method. */
const healthPrefix = ' /health/'

/** The declared route of a request; `none` if none matched. */
export function findRoute(ctx: Context): string {
  const { route = matchedRoute(ctx) }: RequestFields = ctx.state
  return route
}

/** The log leaves out what is undefined. */
function toLine(ctx: Context, { elapsedMs, waitedMs }: { elapsedMs: number; waitedMs: number }) {
  const state: RequestFields = ctx.state
  const { tenantId, apiKeyId, verificationId, procedure, code, reason } = state
  return {
    ...getRequestIds(ctx),
    tenantId,
    apiKeyId,
    verificationId,
    method: ctx.method,
    route: findRoute(ctx),
    procedure,
    status: ctx.res.statusCode,
    code,
    reason,
    durationMs: rounded(elapsedMs),
    waitedMs: waitedMs === 0 ? undefined : rounded(waitedMs),
    aborted: ctx.res.writableFinished ? undefined : true,
  }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}

/** The pattern that a router matched. */
function matchedRoute(ctx: Context): string {
  return typeof ctx._matchedRoute === 'string' ? `${ctx.method} ${ctx._matchedRoute}` : 'none'
}

/** What the verbs that a request runs have of it. Each line of their log has the ids of the request. */
export function requestParts(log: Log, ctx: Context, concurrency: ConcurrencyLimit): RequestParts {
  return {
    log: {
      info: (fields, message) => log.info({ ...getRequestIds(ctx), ...fields }, message),
      warn: (fields, message) => log.warn({ ...getRequestIds(ctx), ...fields }, message),
    },
    request: {
      describe: fields => describeRequest(ctx, fields),
      setWaiting: isWaiting => setWaiting(ctx, isWaiting),
      ...concurrency.placeOf(ctx),
    },
  }
}
