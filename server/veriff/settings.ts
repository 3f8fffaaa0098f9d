import { z } from 'zod'
import { list, type Settings, secureAddress, setting, webAddress } from '../config-values.ts'
import type { ProviderIntegration } from '../provider-adapter.ts'

/** The environment variables of the integration: all of them are set, or none. */
export const veriffVariables = {
  /** The identity provider's API. Unset: the local simulator. */
  VERIFF_BASE_URL: setting('veriffBaseUrl', secureAddress(webAddress).optional()),
  /** The key of the provider's integration. */
  VERIFF_API_KEY: setting(
    'veriffApiKey',
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
      .optional(),
  ),
  /** The secret of the provider's integration; during a rotation a comma-separated list, newest first. */
  VERIFF_SHARED_SECRET: setting(
    'veriffSharedSecrets',
    list.refine(secrets => secrets.length > 0, 'must have at least one secret').optional(),
  ),
}

/** Undefined unless all of the settings are set. */
export function veriffIntegration(
  settings: Settings<typeof veriffVariables>,
): ProviderIntegration | undefined {
  const { veriffBaseUrl: baseUrl, veriffApiKey: apiKey, veriffSharedSecrets: sharedSecrets } = settings
  return baseUrl && apiKey && sharedSecrets ? { name: 'veriff', baseUrl, apiKey, sharedSecrets } : undefined
}
