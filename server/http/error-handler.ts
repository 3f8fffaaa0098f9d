import type { Context, Middleware } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { toDomainError } from '#domain/to-domain-error.ts'
import { isServerError, sendError } from '#rest/errors.ts'
import { routeNotFound } from '#rest/route-not-found.ts'
import type { Log } from '../log.ts'
import { describeRequest, findRoute } from './access-log.ts'
import { getRequestId, getRequestIds } from './request-id.ts'
import type { RequestMetrics } from './request-metrics.ts'

/** Sends every thrown error as the error envelope, and 404 for a request that no route handled; counts them. */
export function handleErrors(log: Log, metrics: RequestMetrics): Middleware {
  return async (ctx, next) => {
    try {
      assertAddress(ctx)
      await next()
      if (ctx.status === 404 && ctx.body === undefined) throw routeNotFound(ctx)
    } catch (error) {
      const domainError = toDomainError(error)
      const { code, cause } = domainError
      describeRequest(ctx, { code })
      if (isServerError(code)) log.error({ ...getRequestIds(ctx), code, err: cause }, 'Request failed')
      metrics.errorSent(findRoute(ctx), code)
      sendError(ctx, domainError, getRequestId(ctx))
    }
  }
}

/** Koa's getters throw for an invalid absolute URL such as `http://[`, which matches no route. */
function assertAddress(ctx: Context): void {
  try {
    void ctx.path
  } catch (error) {
    throw new DomainError('ROUTE_NOT_FOUND', { cause: error })
  }
}
