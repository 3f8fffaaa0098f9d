import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, call } from '#test/support/tenant-client.ts'
import type { ServiceProcess } from './service-process.ts'

/** What the first start tells of the demo tenant. */
export async function demoTenant(service: ServiceProcess): Promise<{ tenantId: string; apiKey: string }> {
  const [, tenantId = ''] = await service.says(/Demo tenant +(\S+)/)
  const [, apiKey = ''] = await service.says(/API key +(avk_\w+)/)
  return { tenantId, apiKey }
}

/** Calls the tenant API with a key. */
export function tenantOf({ baseUrl }: Pick<ServiceProcess, 'baseUrl'>, apiKey: string) {
  const headers = { 'x-tenant-api-key': apiKey }
  const post = (path: string, json: unknown): Promise<Answer> =>
    call(`${baseUrl}${path}`, { method: 'POST', json, headers })
  return {
    start: () => post('/verify/start', {}),
    status: (verificationId: string) =>
      call(`${baseUrl}/verify/status?verificationId=${verificationId}`, { headers }),
    validate: (token: string) => post('/tokens/validate', { token }),
  }
}

interface Addresses {
  veriffUrl: string
  eventsUrl: string
  webhookUrl: string
}

/** The addresses of the embedded parts, as scripts find them. */
export async function addressesOf({ dataFolder }: ServiceProcess): Promise<Addresses> {
  return JSON.parse(await readFile(join(dataFolder, 'addresses.json'), 'utf8'))
}

export interface EmbeddedEvent {
  signature: 'valid' | 'invalid'
  headers: Record<string, string>
  body: { event: string; tenantId: string; data: { verificationId: string; status: string } }
  raw: string
}

/** What the demo tenant's receiver got, the newest first. */
export async function receivedEvents(service: ServiceProcess): Promise<EmbeddedEvent[]> {
  const { eventsUrl } = await addressesOf(service)
  const { body } = await call(eventsUrl, { headers: { accept: 'application/json' } })
  return body.items
}
