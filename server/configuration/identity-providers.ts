import type { ProviderName } from '#domain/provider-result.ts'
import type { Settings } from './config-values.ts'
import type { ProviderIntegration } from './provider-integration.ts'
import { previousVeriffVariables, veriffIntegration, veriffVariables } from './veriff-settings.ts'

/** The environment variables of all identity providers. */
export const providerVariables = { ...veriffVariables, ...previousVeriffVariables }

type ProviderSettings = Settings<typeof providerVariables>

/** The settings of the identity providers; `server/providers` has their adapters. */
const providers: Record<ProviderName, IdentityProviderEntry> = {
  veriff: {
    variables: veriffVariables,
    previousVariables: previousVeriffVariables,
    integration: veriffIntegration,
  },
}

type ProviderVariables = Record<string, { field: keyof ProviderSettings }>

interface IdentityProviderEntry {
  variables: ProviderVariables
  /** Of the integration that was replaced; they need the others. */
  previousVariables: ProviderVariables
  /** Undefined unless all of the variables are set. */
  integration(settings: ProviderSettings): ProviderIntegration | undefined
}

/** The provider that the settings name; undefined where every tenant is a test tenant. */
export function configuredProvider(settings: ProviderSettings): ProviderIntegration | undefined {
  return Object.values(providers)
    .map(({ integration }) => integration(settings))
    .find(integration => integration !== undefined)
}

/** The variables of the integration, and of the one that it has replaced, the address first. */
export function namesOfVariables({ name }: ProviderIntegration): { current: string[]; previous: string[] } {
  const { variables, previousVariables } = providers[name]
  return { current: Object.keys(variables), previous: Object.keys(previousVariables) }
}

/** The variables of each provider, with their fields of the settings. */
export const providerSettings = Object.values(providers).map(({ variables, previousVariables }) => ({
  current: fieldsOf(variables),
  previous: fieldsOf(previousVariables),
}))

function fieldsOf(variables: ProviderVariables): Record<string, keyof ProviderSettings> {
  return Object.fromEntries(Object.entries(variables).map(([name, { field }]) => [name, field]))
}
