import type { Config } from './config.ts'
import type { Dependencies, SignInProvider } from './dependencies.ts'
import { configuredProvider } from './identity-providers.ts'

/** Returns undefined if the configuration lacks any of them, so that an embedded part is needed. */
export function configuredDependencies(config: Config): Dependencies | undefined {
  const { databaseUrl, databaseDirectUrl, encryptionKeys, webhookCaFile } = config
  const provider = configuredProvider(config)
  const oidc = configuredSignIn(config)
  if (!databaseUrl || !encryptionKeys || !provider || !oidc) return undefined
  return {
    databaseUrl,
    databaseDirectUrl,
    encryptionKeys,
    provider,
    oidc,
    receiverAuthorities: webhookCaFile,
  }
}

export function configuredSignIn(config: Config): SignInProvider | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcClientId: clientId } = config
  return issuer && audience ? { issuer, audience, clientId } : undefined
}
