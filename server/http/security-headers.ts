import type { Middleware } from 'koa'

const baseHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

const httpsHeaders = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

/** The strictest security headers. HSTS lasts a year. */
export function securityHeadersOf(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? { ...baseHeaders, ...httpsHeaders } : baseHeaders
}

/** Sets the security headers that a response lacks; routes that serve pages have some of their own. */
export function securityHeaders(baseUrl: string): Middleware {
  const headers = Object.entries(securityHeadersOf(baseUrl))
  return async (ctx, next) => {
    await next()
    if (ctx.headerSent) return
    for (const [name, value] of headers) if (!ctx.res.hasHeader(name)) ctx.set(name, value)
  }
}
