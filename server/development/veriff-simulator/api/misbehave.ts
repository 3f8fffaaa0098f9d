import type { RouterMiddleware } from '@koa/router'
import type { Simulator } from '../simulator.ts'
import type { Modes } from './modes.ts'

/** Fails a call in the way that is set for it. */
export function misbehave(simulator: Simulator, call: keyof Modes): RouterMiddleware {
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
      ctx.body = { status: 'fail', code: String(ctx.status), message: 'Asked to fail.' }
    } else {
      await next()
    }
  }
}
