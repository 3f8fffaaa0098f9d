import type { ProviderCallbacks } from '#rest/ports.ts'
import type { OpenedProvider, ProviderIntegration, ProviderOptions } from '../provider-adapter.ts'
import { observeProvider } from './observe-provider.ts'
import { readResult } from './read-result.ts'
import { assertCredentials, hasCredentials, isAuthentic, type VeriffCredentials } from './signature.ts'
import { createVeriffClient } from './veriff-client.ts'

/** Throws a `TypeError` for incomplete credentials. */
export function openVeriff(
  integration: ProviderIntegration,
  { registry, ...options }: ProviderOptions = {},
): OpenedProvider {
  const observed = registry ? { observe: observeProvider(registry) } : {}
  const client = createVeriffClient({ ...integration, ...options, ...observed })
  return { client, callbacks: createVeriffCallbacks(integration), close: () => client.close() }
}

/** Throws a `TypeError` for incomplete credentials. */
export function createVeriffCallbacks(credentials: VeriffCredentials): ProviderCallbacks {
  assertCredentials(credentials)
  return {
    hasCredentials: headers => hasCredentials(headers, credentials),
    isAuthentic: (headers, rawBody) => isAuthentic(headers, rawBody, credentials),
    read: readResult,
  }
}
