import type { RouterMiddleware } from '@koa/router'
import type { Session } from '../session.ts'
import { signedHeaders, signingSecret } from '../signature.ts'
import type { Modes, Simulator } from '../simulator.ts'
import { ProviderError } from './provider-error.ts'

/**
 * Responds with JSON, signed over its exact bytes; errors too, unless the caller is not authenticated. The order of
 * keys varies, and an undocumented field comes and goes: the provider calls both backward compatible.
 */
export function signResponse({ apiKey, sharedSecrets }: Simulator): RouterMiddleware {
  const credentials = { apiKey, secret: signingSecret(sharedSecrets) }
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
    const bytes = Buffer.from(JSON.stringify(vary(ctx.body, responses)))
    const { mode } = ctx.state
    const forged = mode === 'wrong-signature' || mode === 'unsigned'
    ctx.set(signedHeaders(credentials, bytes, forged ? mode : 'valid'))
    ctx.type = 'application/json'
    ctx.body = bytes
  }
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

/** The response to POST and PATCH. The URL contains the port that the simulator listens on now. */
export function presentSession(simulator: Simulator, session: Session): Record<string, unknown> {
  return {
    status: 'success',
    verification: {
      id: session.id,
      url: pageUrl(simulator, session),
      vendorData: session.vendorData,
      host: simulator.baseUrl,
      status: session.status,
      sessionToken: session.token,
    },
  }
}

export function pageUrl(simulator: Simulator, session: Session): string {
  return `${simulator.baseUrl}/v/${session.token}`
}

function vary(body: object, count: number): object {
  const extended = count % 3 === 0 ? { ...body, requestTrace: `trace-${count}` } : body
  return count % 2 === 0 ? reverseKeys(extended) : extended
}

function reverseKeys(body: object): object {
  const entries = Object.entries(body).reverse()
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isRecord(value) ? reverseKeys(value) : value]),
  )
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
