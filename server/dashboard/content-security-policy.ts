export interface PolicyInput {
  issuer: string
  consoleUrl: string
  /** For the style elements that the component family writes at run time. */
  nonce: string
}

/**
 * No script but the built files, no other origin but the sign-in provider (and the console's own, where the
 * dashboard has another address). The page may frame the provider, and be framed by itself: that is how a
 * sign-in is renewed without leaving the page.
 */
export function contentSecurityPolicy({ issuer, consoleUrl, nonce }: PolicyInput): string {
  const issuerOrigin = new URL(issuer).origin
  const connect = new Set(["'self'", issuerOrigin, new URL(consoleUrl).origin])
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src ${[...connect].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `frame-src 'self' ${issuerOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
