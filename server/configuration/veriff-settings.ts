import { z } from 'zod'
import { list, type Settings, secureAddress, setting, webAddress } from './config-values.ts'
import type { ProviderIntegration } from './provider-integration.ts'

/** A UUID can be pasted in any case; Veriff writes it in lower case. */
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
  .transform(key => (z.guid().safeParse(key).success ? key.toLowerCase() : key))
  .optional()

const sharedSecrets = list.refine(secrets => secrets.length > 0, 'must have at least one secret').optional()

/** The environment variables of the integration: all of them are set, or none. */
export const veriffVariables = {
  /** The identity provider's API. Unset: the local simulator. */
  VERIFF_BASE_URL: setting('veriffBaseUrl', secureAddress(webAddress).optional()),
  /** The key of the provider's integration. */
  VERIFF_API_KEY: setting('veriffApiKey', apiKey),
  /** The secret of the provider's integration; during a rotation a comma-separated list, newest first. */
  VERIFF_SHARED_SECRET: setting('veriffSharedSecrets', sharedSecrets),
}

/** Those of the integration that it has replaced, until its sessions have ended: all of them are set, or none. */
export const previousVeriffVariables = {
  VERIFF_PREVIOUS_BASE_URL: setting('previousVeriffBaseUrl', secureAddress(webAddress).optional()),
  VERIFF_PREVIOUS_API_KEY: setting('previousVeriffApiKey', apiKey),
  VERIFF_PREVIOUS_SHARED_SECRET: setting('previousVeriffSharedSecrets', sharedSecrets),
}

type VeriffSettings = Settings<typeof veriffVariables & typeof previousVeriffVariables>

/** Undefined unless all of the settings are set. */
export function veriffIntegration(settings: VeriffSettings): ProviderIntegration | undefined {
  const { veriffBaseUrl, veriffApiKey, veriffSharedSecrets } = settings
  const { previousVeriffBaseUrl, previousVeriffApiKey, previousVeriffSharedSecrets } = settings
  const current = integration(veriffBaseUrl, veriffApiKey, veriffSharedSecrets)
  const previous = integration(previousVeriffBaseUrl, previousVeriffApiKey, previousVeriffSharedSecrets)
  return current && (previous ? { ...current, previous } : current)
}

function integration(baseUrl?: string, apiKey?: string, sharedSecrets?: string[]) {
  return baseUrl && apiKey && sharedSecrets
    ? { name: 'veriff' as const, baseUrl, apiKey, sharedSecrets }
    : undefined
}
