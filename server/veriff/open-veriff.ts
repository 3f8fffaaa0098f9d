import type { OpenedProvider, ProviderOptions } from '../provider-adapter.ts'
import { observeProvider } from './observe-provider.ts'
import type { VeriffIntegration } from './settings.ts'
import { createVeriffCallbacks } from './veriff-callbacks.ts'
import { createVeriffClient } from './veriff-client.ts'

/** Throws a `TypeError` for incomplete credentials. */
export function openVeriff(
  integration: VeriffIntegration,
  { registry, ...options }: ProviderOptions = {},
): OpenedProvider {
  const observed = registry ? { observe: observeProvider(registry) } : {}
  const client = createVeriffClient({ ...integration, ...options, ...observed })
  return { client, callbacks: createVeriffCallbacks(integration), close: () => client.close() }
}
