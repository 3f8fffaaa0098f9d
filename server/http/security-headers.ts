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

/** Browsers apply these to documents only. */
const documentHeaders = ['X-Frame-Options', 'Cross-Origin-Opener-Policy', 'Content-Security-Policy']
const partOfDocument = /^text\/(css|javascript)\b/

const httpsHeaders = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

/** The strictest security headers. HSTS lasts a year. */
export function buildSecurityHeaders(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? { ...baseHeaders, ...httpsHeaders } : baseHeaders
}

/**
 * Sets the security headers that a response lacks; routes that serve pages have some of their own. Scripts and styles
 * get none of those for documents, which would be a fifth of their headers.
 */
export function securityHeaders(baseUrl: string): Middleware {
  const headers = Object.entries(buildSecurityHeaders(baseUrl))
  const headersOfParts = headers.filter(([name]) => !documentHeaders.includes(name))
  return async (ctx, next) => {
    await next()
    if (ctx.headerSent) return
    const missing = partOfDocument.test(ctx.response.get('Content-Type')) ? headersOfParts : headers
    for (const [name, value] of missing) if (!ctx.res.hasHeader(name)) ctx.set(name, value)
  }
}
