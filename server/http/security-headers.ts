import type { Middleware } from 'koa'

const always = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

const oneYearOfHttps = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

/** The strictest answer headers; routes that serve something else replace what they must. */
export function securityHeaders(baseUrl: string): Middleware {
  const headers = baseUrl.startsWith('https:') ? { ...always, ...oneYearOfHttps } : always
  return (ctx, next) => {
    ctx.set(headers)
    return next()
  }
}
