import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, tenantClient } from '../tenant-client.ts'
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

interface Addresses {
  veriffUrl: string
  eventsUrl: string
  webhookUrl: string
}

/** The addresses of the embedded parts, from the file that scripts read. */
export async function addressesOf({ dataFolder }: ServiceProcess): Promise<Addresses> {
  return JSON.parse(await readFile(join(dataFolder, 'addresses.json'), 'utf8'))
}

export interface EmbeddedEvent {
  signature: 'valid' | 'invalid'
  headers: Record<string, string>
  body: { event: string; tenantId: string; data: { verificationId: string; status: string } }
  raw: string
}

/** The events that the demo tenant's webhook receiver got, the newest first. */
export async function receivedEvents(service: ServiceProcess): Promise<EmbeddedEvent[]> {
  const { eventsUrl } = await addressesOf(service)
  const { body } = await call(eventsUrl, { headers: { accept: 'application/json' } })
  return body.items
}
