import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import { type Config, ConfigError } from '#server/config.ts'
import { configuredProvider, openProvider, providerSettings } from '#server/identity-providers.ts'
import type { OpenedProvider, ProviderIntegration } from '#server/provider-adapter.ts'

/** The identity provider for the operator, who polls and deletes sessions but starts none. Opened by the first call. */
export function openOperatorProvider(config: Config): { provider: IdentityProvider; close(): Promise<void> } {
  let opened: Promise<OpenedProvider> | undefined
  const openClient = async () => {
    opened ??= openConfigured(config)
    return (await opened).client
  }
  return {
    provider: {
      name: 'veriff',
      createSession: () =>
        Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.')),
      fetchDecision: async providerSessionId => (await openClient()).fetchDecision(providerSessionId),
      deleteSession: async providerSessionId => (await openClient()).deleteSession(providerSessionId),
    },
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  }
}

async function openConfigured(config: Config): Promise<OpenedProvider> {
  return await openProvider(configuredProvider(config) ?? (await findSimulator(config)))
}

/**
 * The simulator of a service that runs on the embedded database. With another database, the sessions may be the real
 * provider's, which the simulator would say it doesn't know. Throws a `ConfigError` then.
 */
async function findSimulator({ databaseUrl, dataFolder }: Config): Promise<ProviderIntegration> {
  if (databaseUrl) {
    const names = Object.keys(providerSettings[0]!)
    throw new ConfigError(names.map(name => `${name} is required: this command calls the provider`))
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
