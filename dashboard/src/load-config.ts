import type { Config } from './config.ts'

/** Throws if the service is unreachable or does not respond with 200. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`)
  if (!response.ok) throw new Error(`Loading the configuration failed with HTTP status ${response.status}.`)
  return response.json()
}
