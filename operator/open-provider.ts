import type { StatementPool } from '#domain/database/statement.ts'
import { type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import { isTestSession } from '#domain/tenant/test-tenant.policy.ts'
import { type Config, ConfigError } from '#server/config.ts'
import { configuredProvider, providerSettings } from '#server/identity-providers.ts'
import { type OpenedProviders, openProviders } from '#server/open-providers.ts'

/** The identity provider for the operator, who polls and deletes sessions but starts none. Opened by the first call. */
export function openOperatorProvider(
  config: Config,
  pool: StatementPool,
): { provider: IdentityProvider; close(): Promise<void> } {
  const integration = configuredProvider(config)
  const { databaseUrl, baseUrl } = config
  let opened: Promise<OpenedProviders> | undefined
  async function openClient(providerSessionId: string): Promise<IdentityProvider> {
    // Without its settings, the session would be one that nobody knows.
    if (!integration && databaseUrl && !isTestSession(providerSessionId)) throw missingSettings()
    // Test sessions remain when TEST_TENANTS is no longer set.
    opened ??= openProviders({ integration, testTenants: true, pool, baseUrl })
    return (await opened).client
  }
  return {
    provider: {
      name: 'veriff',
      createSession: () =>
        Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.')),
      fetchDecision: async (id, verificationId) => (await openClient(id)).fetchDecision(id, verificationId),
      deleteSession: async id => (await openClient(id)).deleteSession(id),
    },
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  }
}

function missingSettings(): ConfigError {
  const names = Object.keys(providerSettings[0]!.current)
  return new ConfigError(names.map(name => `${name} is required: this command calls the provider`))
}
