import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import { type Config, ConfigError } from '#server/config.ts'
import { configuredProvider, openProvider, providerSettings } from '#server/identity-providers.ts'
import type { OpenedProvider, ProviderIntegration } from '#server/provider-adapter.ts'

/** The identity provider for the operator, who deletes sessions but starts none. Opened by the first deletion. */
export function openDeletingProvider(config: Config): { provider: IdentityProvider; close(): Promise<void> } {
  let opened: Promise<OpenedProvider> | undefined
  return {
    provider: {
      name: 'veriff',
      createSession: () =>
        Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.')),
      fetchDecision: () =>
        Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.')),
      async deleteSession(providerSessionId) {
        opened ??= openConfigured(config)
        return await (await opened).client.deleteSession(providerSessionId)
      },
    },
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  }
}

async function openConfigured(config: Config): Promise<OpenedProvider> {
  return await openProvider(configuredProvider(config) ?? (await simulatorOf(config)))
}

/**
 * The simulator of a service that runs on the embedded database. With another database, the sessions may be the real
 * provider's, which the simulator would say it doesn't know. Throws a `ConfigError` then.
 */
async function simulatorOf({ databaseUrl, dataFolder }: Config): Promise<ProviderIntegration> {
  if (databaseUrl) {
    const names = Object.keys(providerSettings[0]!)
    throw new ConfigError(names.map(name => `${name} is required: sessions are deleted at the provider`))
  }
  const read = (file: string) => readFile(join(dataFolder, file), 'utf8')
  try {
    const [ports, apiKey, secret] = await Promise.all(
      ['ports.json', 'veriff-api-key', 'veriff-shared-secret'].map(read),
    )
    const { veriff } = JSON.parse(ports!) as { veriff: number }
    return {
      name: 'veriff',
      baseUrl: `http://127.0.0.1:${veriff}`,
      apiKey: apiKey!,
      sharedSecrets: [secret!],
    }
  } catch {
    throw new ProviderUnavailable(
      'unreachable',
      'the service with the local simulator has never been started',
    )
  }
}
