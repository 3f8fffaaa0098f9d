import { createContext, useContext } from 'react'
import type { Config } from './config.ts'

export const ConfigContext = createContext<Config | undefined>(undefined)

export function useConfig(): Config {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('useConfig needs a ConfigContext')
  return config
}
