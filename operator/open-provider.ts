import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import { type Config, ConfigError } from '#server/config.ts'
import { configuredVeriff, type VeriffIntegration } from '#server/dependencies.ts'
import type { createVeriffClient } from '#server/veriff/veriff-client.ts'

export interface OpenedProvider {
  provider: IdentityProvider
  close(): Promise<void>
}

/** The identity provider for the operator, who deletes sessions but starts none. Opened by the first deletion. */
export function openProvider(config: Config): OpenedProvider {
  let opened: Promise<ReturnType<typeof createVeriffClient>> | undefined
  return {
    provider: {
      name: 'veriff',
      createSession: () =>
        Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.')),
      fetchDecision: () =>
        Promise.reject(new ProviderUnavailable('unreachable', 'Not available to the operator.')),
      async deleteSession(providerSessionId) {
        opened ??= openClient(config)
        return await (await opened).deleteSession(providerSessionId)
      },
    },
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  }
}

async function openClient(config: Config) {
  const integration = configuredVeriff(config) ?? (await simulatorOf(config))
  const { createVeriffClient } = await import('#server/veriff/veriff-client.ts')
  return createVeriffClient(integration)
}

/**
 * The simulator of a service that runs on the embedded database. With another database, the sessions may be the real
 * provider's, which the simulator would say it doesn't know. Throws a `ConfigError` then.
 */
async function simulatorOf({ databaseUrl, dataFolder }: Config): Promise<VeriffIntegration> {
  if (databaseUrl) {
    const names = ['VERIFF_BASE_URL', 'VERIFF_API_KEY', 'VERIFF_SHARED_SECRET']
    throw new ConfigError(names.map(name => `${name} is required: sessions are deleted at the provider`))
  }
  const read = (file: string) => readFile(join(dataFolder, file), 'utf8')
  try {
    const [ports, apiKey, secret] = await Promise.all(
      ['ports.json', 'veriff-api-key', 'veriff-shared-secret'].map(read),
    )
    const { veriff } = JSON.parse(ports!) as { veriff: number }
    return { baseUrl: `http://127.0.0.1:${veriff}`, apiKey: apiKey!, sharedSecrets: [secret!] }
  } catch {
    throw new ProviderUnavailable(
      'unreachable',
      'the service with the local simulator has never been started',
    )
  }
}
