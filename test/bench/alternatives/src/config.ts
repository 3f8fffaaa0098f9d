function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is required`)
  return value
}

export const config = {
  host: process.env.HOST ?? '127.0.0.1',
  port: Number(process.env.PORT ?? 3000),
  databaseUrl: required('DATABASE_URL'),
  /** As many connections as the service has. */
  databasePoolSize: Number(process.env.DATABASE_POOL_SIZE ?? 20),
  redisUrl: required('REDIS_URL'),
  veriff: {
    baseUrl: required('VERIFF_BASE_URL'),
    apiKey: required('VERIFF_API_KEY'),
    sharedSecret: required('VERIFF_SHARED_SECRET'),
  },
  token: {
    /** PEM, P-256. */
    privateKey: required('TOKEN_PRIVATE_KEY'),
    publicKey: required('TOKEN_PUBLIC_KEY'),
    issuer: required('TOKEN_ISSUER'),
    lifetimeSeconds: 30 * 24 * 60 * 60,
  },
  requestsPerMinute: 2_000_000_000,
}
