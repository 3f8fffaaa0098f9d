import type { Context, Middleware } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { toDomainError } from '#domain/to-domain-error.ts'
import { sendError, statusOf } from '#rest/errors.ts'
import type { Log } from '../log.ts'
import { requestIdOf } from './request-id.ts'

/** Turns whatever is thrown into the error envelope, and a request that nobody answered into its 404. */
export function handleErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      assertAddress(ctx)
      await next()
      if (ctx.status === 404 && ctx.body === undefined) throw new DomainError('ROUTE_NOT_FOUND')
    } catch (error) {
      const refusal = toDomainError(error)
      const requestId = requestIdOf(ctx)
      if (statusOf[refusal.code] >= 500)
        log.error({ requestId, code: refusal.code, err: refusal.cause }, 'failed')
      sendError(ctx, refusal, requestId)
    }
  }
}

/** Koa's getters throw for an absolute address that is none, such as `http://[`: no route matches it. */
function assertAddress(ctx: Context): void {
  try {
    void ctx.path
  } catch (error) {
    throw new DomainError('ROUTE_NOT_FOUND', { cause: error })
  }
}
