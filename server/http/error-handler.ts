import type { Context, Middleware } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { toDomainError } from '#domain/to-domain-error.ts'
import { isServerError, sendError } from '#rest/errors.ts'
import { routeNotFound } from '#rest/route-not-found.ts'
import type { Log } from '../log.ts'
import { describeRequest, findRoute } from './access-log.ts'
import { getRequestId, getRequestIds } from './request-id.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { assertWellFormed } from './well-formed.ts'

/** Sends every thrown error as the error envelope, and 404 for a request that no route handled; counts them. */
export function handleErrors(log: Log, metrics: RequestMetrics): Middleware {
  return async (ctx, next) => {
    try {
      assertValid(ctx)
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

function assertValid(ctx: Context): void {
  try {
    assertWellFormed(ctx.req)
  } catch (error) {
    // Where the request ends is then not certain.
    ctx.set('Connection', 'close')
    throw error
  }
  try {
    // Koa's getter throws for an absolute URL that is invalid, such as `http://[`, which matches no route.
    void ctx.path
  } catch (error) {
    throw new DomainError('ROUTE_NOT_FOUND', { cause: error })
  }
}
