import { z } from 'zod'
import type { Fixture } from '../demo-context.ts'
import { operate } from '../operator.ts'

export interface DemoTenant {
  tenantId: string
  apiKey: string
  webhookSecret: string
}

/** The operator makes a tenant, its key and its receiver. In a service that stays, the tenant is disabled in the end. */
export async function makeTenant(
  { service, screen }: Fixture,
  closing: AsyncDisposableStack,
): Promise<DemoTenant> {
  screen.part(
    'A tenant, its key, its webhook',
    'The operator of the service makes them on the command line. Members of a tenant\ncan make keys and set the webhook in the dashboard too.',
  )
  const name = `Demo of ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`
  const created = z.object({
    tenantId: z.uuid(),
    name: z.string(),
    plan: z.string(),
    subscription: z.string(),
  })
  const tenant = await operate(service, ['tenant', 'create', '--name', name], created, screen)
  screen.rows(Object.entries(tenant))
  const { tenantId } = tenant
  if (!service.ownOne) {
    closing.defer(async () => {
      await operate(service, ['tenant', 'disable', '--tenant', tenantId], z.unknown())
      screen.note(`The demo's tenant ${tenantId} was disabled again.`)
    })
  }

  const key = z.object({ apiKeyId: z.string(), apiKey: z.string(), scopes: z.array(z.string()) })
  const { apiKey, scopes } = await operate(service, ['key', 'create', '--tenant', tenantId], key, screen)
  screen.rows([
    ['apiKey', `${apiKey.slice(0, 12)}…`, 'shown once; the service keeps its SHA-256'],
    ['scopes', scopes.join(', ')],
  ])

  const { webhookUrl } = service.addresses
  const webhook = z.object({ webhookUrl: z.literal(webhookUrl), webhookSecret: z.string() })
  const setWebhook = ['tenant', 'set-webhook', '--tenant', tenantId, '--url', webhookUrl]
  const { webhookSecret } = await operate(service, setWebhook, webhook, screen)
  screen.rows([
    ['webhookUrl', webhookUrl, 'the receiver that runs beside the service'],
    ['webhookSecret', `${webhookSecret.slice(0, 10)}…`, 'signs every event'],
  ])
  return { tenantId, apiKey, webhookSecret }
}
