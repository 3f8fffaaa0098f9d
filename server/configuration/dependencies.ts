import type { Config } from './config.ts'
import { configuredProvider } from './identity-providers.ts'
import type { ProviderIntegration } from './provider-integration.ts'

/** How the service reaches what it depends on, whether configured or embedded. */
export interface Dependencies {
  databaseUrl: string
  /** Each 32 bytes, base64; newest first. */
  encryptionKeys: string[]
  /** Undefined where every tenant is a test tenant. */
  provider: ProviderIntegration | undefined
  oidc: SignInProvider
  /** A PEM file with additional certificate authorities for webhook receivers. */
  receiverAuthorities: string | undefined
  /** The simulators that run in place of real dependencies. */
  simulators?: SimulatorName[]
}

export type SimulatorName = 'identity_provider' | 'sign_in_provider'

export interface SignInProvider {
  issuer: string
  /** The `aud` of users' access tokens. */
  audience: string
  /** The dashboard's public client. */
  clientId: string
  /** Of the dashboard's requests, besides the usual scopes. */
  scope?: string | undefined
}

/** Returns undefined if the configuration lacks any of them, so that an embedded part is needed. */
export function configuredDependencies(config: Config): Dependencies | undefined {
  const { databaseUrl, encryptionKeys, webhookCaFile } = config
  const provider = configuredProvider(config)
  const oidc = configuredSignIn(config)
  if (!databaseUrl || !encryptionKeys || !provider || !oidc) return undefined
  return { databaseUrl, encryptionKeys, provider, oidc, receiverAuthorities: webhookCaFile }
}

export function configuredSignIn(config: Config): SignInProvider | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcClientId: clientId, oidcScope: scope } = config
  return issuer && audience ? { issuer, audience, clientId, scope } : undefined
}
