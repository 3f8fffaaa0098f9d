import { timingSafeEqual } from 'node:crypto'
import type { RouterContext, RouterMiddleware } from '@koa/router'
import { isSignedWith } from '../signature.ts'
import type { Simulator } from '../simulator.ts'
import { ProviderError } from './provider-error.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sha256 = /^[0-9a-f]{64}$/i

/** Checks the API key. */
export function authenticate(simulator: Simulator): RouterMiddleware {
  const expected = Buffer.from(simulator.apiKey.toLowerCase())
  return (ctx, next) => {
    const apiKey = ctx.get('x-auth-client')
    if (apiKey === '') throw new ProviderError(1801)
    if (!uuid.test(apiKey)) throw new ProviderError(1802)
    const given = Buffer.from(apiKey.toLowerCase())
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new ProviderError(1803)
    return next()
  }
}

/** Checks the signature: of the id in the path for reads (code 1818), of the body for writes (code 1819). */
export function checkSignature(
  ctx: RouterContext,
  simulator: Simulator,
  content: string | Buffer,
  code: 1818 | 1819,
): void {
  const signature = ctx.get('x-hmac-signature')
  if (!sha256.test(signature)) throw new ProviderError(1812)
  if (!isSignedWith(signature, content, simulator.sharedSecrets)) throw new ProviderError(code)
}
