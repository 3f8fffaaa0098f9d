import type { RouterMiddleware } from '@koa/router'
import { ProviderError } from './provider-error.ts'

/**
 * How an API call responds, for tests of its client. `hang` never responds, `unreachable` closes the connection,
 * `garbage` responds 200 with a body that is not JSON, `wrong-signature` responds normally but cannot be trusted,
 * `error-503` and the like respond with that status. The failures create no session.
 */
export type Mode = 'ok' | 'hang' | 'unreachable' | 'garbage' | 'wrong-signature' | `error-${number}`

export interface Modes {
  createSession: Mode
  decision: Mode
  /** `disabled`: the integration may not delete sessions, as is the provider's default. */
  deleteSession: Mode | 'disabled'
}

export type ApiCall = keyof Modes

export const allWork: Modes = { createSession: 'ok', decision: 'ok', deleteSession: 'ok' }

/** Makes calls respond as their modes say now, and every second response in another form. */
export function createInterceptor(modes: () => Modes): (call: ApiCall) => RouterMiddleware {
  let responses = 0
  return call => async (ctx, next) => {
    const mode = modes()[call]
    if (mode === 'hang' || mode === 'unreachable') {
      ctx.respond = false
      if (mode === 'unreachable') ctx.req.socket.destroy()
    } else if (mode === 'garbage') {
      ctx.status = 200
      ctx.body = '<!doctype html><title>Maintenance</title>'
    } else if (mode === 'disabled') {
      throw new ProviderError(400, '1301', 'Session deletion is not enabled for this integration.')
    } else if (mode.startsWith('error-')) {
      ctx.status = Number(mode.slice('error-'.length))
      ctx.body = { status: 'fail', code: String(ctx.status), message: 'Injected failure.' }
    } else {
      if (mode !== 'ok') ctx.state.signing = mode
      await next()
      responses += 1
      if (responses % 2 === 0) ctx.body = vary(ctx.body as object)
    }
  }
}

/** In another order and with an undocumented field: the provider calls both backward compatible. */
function vary(body: object): object {
  return Object.fromEntries(Object.entries({ ...body, requestTrace: 'trace' }).reverse())
}
