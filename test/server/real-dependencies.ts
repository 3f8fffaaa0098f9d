/** Settings of dependencies outside the machine, none of which exists, but no database. */
export const realDependencies = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  VERIFF_BASE_URL: 'https://veriff.example',
  VERIFF_API_KEY: 'key',
  VERIFF_SHARED_SECRET: 'secret',
  OIDC_ISSUER: 'https://sign-in.example',
  OIDC_AUDIENCE: 'console',
}
