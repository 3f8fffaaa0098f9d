import { createContext, useContext } from 'react'

/** Served at `/dashboard/config.json`. */
export interface Config {
  baseUrl: string
  consoleUrl: string
  issuer: string
  clientId: string
  audience: string
  /** Besides `openid profile email`. */
  scope?: string
}

export const ConfigContext = createContext<Config | undefined>(undefined)

export function useConfig(): Config {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('useConfig must be used inside a ConfigContext.')
  return config
}
