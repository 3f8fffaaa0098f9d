import type { Config } from './config.ts'

/** What lies outside the service, as it is reached: configured, or embedded in its place. */
export interface Dependencies {
  databaseUrl: string
  /** 32 bytes, base64. */
  encryptionKey: string
  veriff: VeriffIntegration
  oidc: SignInProvider
  /** PEM file with further authorities for receivers. */
  receiverAuthorities: string | undefined
  close(): Promise<void>
}

export interface VeriffIntegration {
  baseUrl: string
  apiKey: string
  /** The newest first; it signs. */
  sharedSecrets: string[]
}

export interface SignInProvider {
  issuer: string
  /** The `aud` of users' tokens. */
  audience: string
  /** The dashboard's public client. */
  clientId: string
}

/** All that the environment names; undefined where an embedded part has to take a place. */
export function configuredDependencies(config: Config): Dependencies | undefined {
  const { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: encryptionKey, WEBHOOK_CA_FILE } = config
  const veriff = configuredVeriff(config)
  const oidc = configuredSignIn(config)
  if (!databaseUrl || !encryptionKey || !veriff || !oidc) return undefined
  return {
    databaseUrl,
    encryptionKey,
    veriff,
    oidc,
    receiverAuthorities: WEBHOOK_CA_FILE,
    close: async () => {},
  }
}

export function configuredVeriff(config: Config): VeriffIntegration | undefined {
  const { VERIFF_BASE_URL: baseUrl, VERIFF_API_KEY: apiKey, VERIFF_SHARED_SECRET: sharedSecrets } = config
  return baseUrl && apiKey && sharedSecrets ? { baseUrl, apiKey, sharedSecrets } : undefined
}

export function configuredSignIn(config: Config): SignInProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: clientId } = config
  return issuer && audience ? { issuer, audience, clientId } : undefined
}
