import type { ProviderName } from '#domain/provider-result.ts'
import type { ProviderIntegration } from '../configuration/provider-integration.ts'
import type { OpenedProvider, ProviderOptions } from './provider-adapter.ts'

type Open = (integration: ProviderIntegration, options?: ProviderOptions) => Promise<OpenedProvider>

/** The adapter of each identity provider, loaded when it is opened. */
const adapters: Record<ProviderName, Open> = {
  veriff: async (...how) => (await import('./veriff/open-veriff.ts')).openVeriff(...how),
}

/** Throws a `TypeError` for incomplete credentials. */
export const openProvider: Open = (integration, options) => adapters[integration.name](integration, options)
