import { randomUUID } from 'node:crypto'
import type { RouterMiddleware } from '@koa/router'
import { sign, signingSecret } from '../sign.ts'
import type { Simulator } from '../simulator.ts'
import { ProviderApiError } from './api-error.ts'
import type { Mode } from './modes.ts'

/**
 * Sends JSON signed over its exact bytes, refusals too, unless the caller is not known. The order of keys varies
 * and a field that no document knows comes and goes: the provider calls both compatible.
 */
export function answer(simulator: Simulator): RouterMiddleware {
  let answers = 0
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof ProviderApiError)) throw error
      ctx.status = error.status
      ctx.body = error.body
      if (error.status === 401) return
    }
    if (typeof ctx.body !== 'object' || ctx.body === null) return
    answers += 1
    const bytes = Buffer.from(JSON.stringify(vary(ctx.body, answers)))
    ctx.set(signingHeaders(simulator, bytes, ctx.state.mode))
    ctx.type = 'application/json'
    ctx.body = bytes
  }
}

function signingHeaders(simulator: Simulator, bytes: Buffer, mode: Mode | undefined): Record<string, string> {
  const clientHeaders = { 'x-auth-client': simulator.apiKey, 'vrf-auth-client': simulator.apiKey }
  if (mode === 'unsigned') return clientHeaders
  const signature = sign(
    bytes,
    mode === 'wrong-signature' ? randomUUID() : signingSecret(simulator.sharedSecrets),
  )
  return { ...clientHeaders, 'x-hmac-signature': signature, 'vrf-hmac-signature': signature }
}

function vary(body: object, turn: number): object {
  const extended = turn % 3 === 0 ? { ...body, requestTrace: `trace-${turn}` } : body
  return turn % 2 === 0 ? reverseKeys(extended) : extended
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
