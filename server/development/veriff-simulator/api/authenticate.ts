import { timingSafeEqual } from 'node:crypto'
import type { RouterContext, RouterMiddleware } from '@koa/router'
import { isSignedWith } from '../sign.ts'
import type { Simulator } from '../simulator.ts'
import { ProviderApiError } from './api-error.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sha256 = /^[0-9a-f]{64}$/i

export function authenticate(simulator: Simulator): RouterMiddleware {
  const expected = Buffer.from(simulator.apiKey.toLowerCase())
  return (ctx, next) => {
    const apiKey = ctx.get('x-auth-client')
    if (apiKey === '') throw new ProviderApiError(1801)
    if (!uuid.test(apiKey)) throw new ProviderApiError(1802)
    const given = Buffer.from(apiKey.toLowerCase())
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ProviderApiError(1803)
    return next()
  }
}

/** Reads sign the id in the path (1818), changes the body (1819). */
export function checkSignature(
  ctx: RouterContext,
  simulator: Simulator,
  content: string | Buffer,
  code: 1818 | 1819,
): void {
  const signature = ctx.get('x-hmac-signature')
  if (!sha256.test(signature)) throw new ProviderApiError(1812)
  if (!isSignedWith(signature, content, simulator.sharedSecrets)) throw new ProviderApiError(code)
}
