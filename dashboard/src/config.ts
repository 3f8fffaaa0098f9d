import { createSafeContext } from '@mantine/core'
import type { AuthorizationServer } from 'oauth4webapi'

/** The service writes it into the page. */
export interface Config {
  baseUrl: string
  consoleUrl: string
  issuer: string
  clientId: string
  audience: string
  /** Besides `openid profile email`. */
  scope?: string
  /** Of the issuer's discovery document, where the service knows it. */
  metadata?: IssuerMetadata
}

/** The issuer's discovery document. */
export type IssuerMetadata = AuthorizationServer & { authorization_endpoint: string }

export const [ConfigContext, useConfig] = createSafeContext<Config>('useConfig must be used inside a ConfigContext.')
