import type { RouterMiddleware } from '@koa/router'
import { signedHeaders } from '../signature.ts'
import type { Modes, Simulator } from '../simulator.ts'
import { ProviderError } from './provider-error.ts'

/** Responds with JSON, signed over its exact bytes; errors too, unless the caller is not authenticated. */
export function signResponse(simulator: Simulator): RouterMiddleware {
  let responses = 0
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.status = error.status
      ctx.body = error.body
      if (error.status === 401) return
    }
    if (typeof ctx.body !== 'object' || ctx.body === null) return
    responses += 1
    const bytes = Buffer.from(JSON.stringify(responses % 2 === 0 ? vary(ctx.body) : ctx.body))
    const { mode } = ctx.state
    const forged = mode === 'wrong-signature' || mode === 'unsigned'
    ctx.set(signedHeaders(simulator, bytes, forged ? mode : 'valid'))
    ctx.type = 'application/json'
    ctx.body = bytes
  }
}

/** In another order and with an undocumented field: the provider calls both backward compatible. */
function vary(body: object): object {
  return Object.fromEntries(Object.entries({ ...body, requestTrace: 'trace' }).reverse())
}

/** Injects the failure that is configured for the call. */
export function injectFailure(simulator: Simulator, call: keyof Modes): RouterMiddleware {
  return async (ctx, next) => {
    const mode = simulator.modes[call]
    ctx.state.mode = mode
    if (mode === 'hang' || mode === 'unreachable') {
      ctx.respond = false
      if (mode === 'unreachable') ctx.req.socket.destroy()
    } else if (mode === 'garbage') {
      ctx.status = 200
      ctx.body = '<!doctype html><title>Maintenance</title>'
    } else if (mode.startsWith('error-')) {
      ctx.status = Number(mode.slice('error-'.length))
      ctx.body = { status: 'fail', code: String(ctx.status), message: 'Injected failure.' }
    } else {
      await next()
    }
  }
}
