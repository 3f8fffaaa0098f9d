import type { ProviderName } from '#domain/provider-result.ts'

/** How the service reaches an identity provider. Plain data. */
export interface ProviderIntegration {
  name: ProviderName
  baseUrl: string
  apiKey: string
  /** Newest first; the newest one signs that the provider takes. */
  sharedSecrets: readonly string[]
  /** The integration that this one has replaced, until its sessions have ended. */
  previous?: Omit<ProviderIntegration, 'previous'> | undefined
}
