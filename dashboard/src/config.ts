import type { AuthorizationServer } from 'oauth4webapi'
import { createContext, useContext } from 'react'

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

export const ConfigContext = createContext<Config | undefined>(undefined)

export function useConfig(): Config {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('useConfig must be used inside a ConfigContext.')
  return config
}
