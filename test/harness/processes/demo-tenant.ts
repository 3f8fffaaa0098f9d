import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Addresses } from '#development/local-service.ts'
import { tenantClient } from '../tenant-client.ts'
import type { ServiceProcess } from './service-process.ts'

/** The ID and API key of the demo tenant, as the first start prints them. */
export async function demoTenant(service: ServiceProcess): Promise<{ tenantId: string; apiKey: string }> {
  const [, tenantId = ''] = await service.says(/Demo tenant +(\S+)/)
  const [, apiKey = ''] = await service.says(/API key +(avk_\w+)/)
  return { tenantId, apiKey }
}

/** The client of the tenant API with a key. */
export function tenantOf({ baseUrl }: Pick<ServiceProcess, 'baseUrl'>, apiKey: string) {
  return tenantClient({ baseUrl }, { apiKey })
}

/** The addresses of the embedded parts, from the file that scripts read. */
export async function addressesOf({ dataFolder }: ServiceProcess): Promise<Addresses> {
  return JSON.parse(await readFile(join(dataFolder, 'addresses.json'), 'utf8'))
}
