import { randomBytes, randomUUID } from 'node:crypto'
import { tlsFile } from '#test/server/webhooks/http/tls-receiver.ts'

/** Secrets that the service and its surroundings share. */
export interface Secrets {
  encryptionKey: string
  veriffApiKey: string
  veriffSecret: string
}

export function newSecrets(): Secrets {
  return {
    encryptionKey: randomBytes(32).toString('base64'),
    veriffApiKey: randomUUID(),
    veriffSecret: randomBytes(32).toString('base64url'),
  }
}

export interface EnvironmentOptions {
  secrets: Secrets
  baseUrl: string
  veriffUrl: string
  issuer: string
  audience: string
  /** The variables that name PostgreSQL. */
  database: Record<string, string>
  /** The variables that name Redis. */
  cache: Record<string, string>
}

/** Few, so that slow statements exhaust them. */
const poolSize = 5

/** The environment of every process of the service. Retries come soon, so that a run sees all three attempts. */
export function environmentOf(options: EnvironmentOptions): Record<string, string> {
  const { secrets, baseUrl, veriffUrl, issuer, audience, database, cache } = options
  return {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    ...database,
    DATABASE_POOL_SIZE: String(poolSize),
    ...cache,
    ENCRYPTION_KEY: secrets.encryptionKey,
    VERIFF_BASE_URL: veriffUrl,
    VERIFF_API_KEY: secrets.veriffApiKey,
    VERIFF_SHARED_SECRET: secrets.veriffSecret,
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    WEBHOOK_RETRY_DELAYS: '0.5,1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: tlsFile('ca'),
    // Each request names another client address, so that failed authentications are not limited together.
    TRUST_PROXY: '1',
  }
}
