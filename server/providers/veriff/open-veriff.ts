import type { ProviderCallbacks } from '#rest/ports.ts'
import type { ProviderIntegration } from '../../configuration/provider-integration.ts'
import type { OpenedProvider, ProviderOptions } from '../provider-adapter.ts'
import { observeProvider } from './observe-provider.ts'
import { readResult } from './read-result.ts'
import { assertCredentials, hasCredentials, isAuthentic, type VeriffCredentials } from './signature.ts'
import { readUnknownStatus } from './unknown-status.ts'
import { createVeriffClient } from './veriff-client.ts'
import { withPrevious } from './with-previous.ts'

/** Throws a `TypeError` for incomplete credentials. */
export function openVeriff(
  { previous, ...current }: ProviderIntegration,
  { registry, ...options }: ProviderOptions = {},
): OpenedProvider {
  const observed = registry ? { observe: observeProvider(registry) } : {}
  const client = createVeriffClient({ ...current, ...options, ...observed })
  const replaced = previous && createVeriffClient({ ...previous, ...options, ...observed })
  return {
    client: replaced ? withPrevious(client, replaced) : client,
    callbacks: createVeriffCallbacks(current, ...(previous ? [previous] : [])),
    secretInUse: () => client.secretInUse(),
    async close() {
      await Promise.all([client.close(), replaced?.close()])
    },
  }
}

/** Of one integration, or of several, each with its own key and secrets. Throws a `TypeError` for incomplete credentials. */
export function createVeriffCallbacks(...integrations: VeriffCredentials[]): ProviderCallbacks {
  integrations.forEach(assertCredentials)
  return {
    hasCredentials: headers => integrations.some(credentials => hasCredentials(headers, credentials)),
    isAuthentic: (headers, rawBody) =>
      integrations.some(credentials => isAuthentic(headers, rawBody, credentials)),
    read: readResult,
    readUnknownStatus,
  }
}
