import type Koa from 'koa'
import { toDomainError } from '#domain/to-domain-error.ts'
import { sendError, statusOf } from '#rest/errors.ts'
import { type CallbackServices, providerRunner } from '#rest/run-endpoint.ts'
import { callback } from '#rest/verify/callback.ts'
import type { Log } from '../log.ts'

export interface HandledCallbacks extends Pick<CallbackServices, 'callbacks' | 'clock' | 'scopeFor'> {
  log: Log
}

/** The endpoint of the provider's callbacks for those of the simulator. They are in no metric of the real ones. */
export function callbackRoute({ log, ...services }: HandledCallbacks): Koa.Middleware {
  const run = providerRunner(callback, {
    ...services,
    requestOf: () => ({ log }),
    describeRequest() {},
    countCallback() {},
    responder: () => (ctx, result) => {
      ctx.body = result
    },
  })
  return async ctx => {
    try {
      await run(ctx)
    } catch (error) {
      const { code, cause } = toDomainError(error)
      if (statusOf[code] >= 500) log.error({ code, err: cause }, 'A callback of the simulator failed')
      sendError(ctx, toDomainError(error), '')
    }
  }
}
