import { createContext, useContext } from 'react'

/** Served at `/dashboard/config.json`. */
export interface Config {
  baseUrl: string
  consoleUrl: string
  issuer: string
  clientId: string
  audience: string
}

export const ConfigContext = createContext<Config | undefined>(undefined)

export function useConfig(): Config {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('useConfig must be used inside a ConfigContext.')
  return config
}

/** Throws if the service is unreachable or does not respond with 200. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`)
  if (!response.ok) throw new Error(`Loading the configuration failed with HTTP status ${response.status}.`)
  return response.json()
}
