import { type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import { type Config, ConfigError } from '#server/configuration/config.ts'
import { configuredProvider, providerSettings } from '#server/configuration/identity-providers.ts'
import { openProvider } from '#server/providers/open-provider.ts'
import type { OpenedProvider } from '#server/providers/provider-adapter.ts'

/**
 * The identity provider for the operator, who polls sessions but starts and deletes none. Opened by the first call. Undefined
 * where every verification is a test one.
 */
export function openOperatorProvider(config: Config): {
  provider: IdentityProvider | undefined
  close(): Promise<void>
} {
  const integration = configuredProvider(config)
  let opened: Promise<OpenedProvider> | undefined
  async function openClient(): Promise<IdentityProvider> {
    // Without its settings, the session would be one that nobody knows.
    if (!integration) throw missingSettings()
    opened ??= openProvider(integration)
    return (await opened).client
  }
  const refuse = () =>
    Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.'))
  const provider: IdentityProvider = {
    name: 'veriff',
    createSession: refuse,
    fetchDecision: async (id, verificationId) => (await openClient()).fetchDecision(id, verificationId),
    deleteSession: refuse,
  }
  return {
    provider: integration || config.databaseUrl ? provider : undefined,
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  }
}

function missingSettings(): ConfigError {
  const names = Object.keys(providerSettings[0]!.current)
  return new ConfigError(names.map(name => `${name} is required: this command calls the provider`))
}
