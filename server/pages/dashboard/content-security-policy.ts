export interface PolicyInput {
  issuer: string
  consoleUrl: string
  /** For the style elements that Mantine inserts at run time. */
  nonce: string
}

/**
 * Allows the built files as scripts, and of other origins only the sign-in provider and, if it differs, the console.
 * The page can frame the provider and itself, which is how the sign-in is renewed silently.
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
