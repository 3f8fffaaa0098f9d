/** What the service tells the dashboard about itself, at /dashboard/config.json. */
export interface Config {
  baseUrl: string
  consoleUrl: string
  issuer: string
  clientId: string
  audience: string
}

/** Throws if the service can't be reached or answers with anything but its configuration. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`)
  if (!response.ok) throw new Error(`The service answered ${response.status} for its configuration.`)
  return response.json()
}
