import type { Middleware } from 'koa'
import type { Log } from '../logging/log.ts'

/** With which a proxy says whose request it passes on. */
const proxyHeaders = ['x-forwarded-for', 'forwarded']

/** Warns once if a proxy seems to stand in front and none is trusted. Anyone can send the header, so it is no more than a hint. */
export function warnOfUntrustedProxy(log: Log, proxyCount: number): Middleware {
  let hasWarned = proxyCount > 0
  return (ctx, next) => {
    const header = hasWarned ? undefined : proxyHeaders.find(name => name in ctx.headers)
    if (header !== undefined) {
      hasWarned = true
      log.warn(
        { header },
        'A proxy seems to stand in front, and TRUST_PROXY is 0: its clients count as one address. Set it to the number of proxies.',
      )
    }
    return next()
  }
}
