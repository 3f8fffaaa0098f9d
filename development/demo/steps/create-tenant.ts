import { z } from 'zod'
import type { DemoContext } from '../open-service.ts'
import { runOperator } from '../operator.ts'

export interface DemoTenant {
  tenantId: string
  apiKey: string
  webhookSecret: string
}

/** Creates a tenant, its API key and its webhook as the operator. Disables the tenant at the end if the service keeps running. */
export async function createTenant(
  { service, screen }: DemoContext,
  closing: AsyncDisposableStack,
): Promise<DemoTenant> {
  screen.step(
    'Create a tenant, its API key and its webhook',
    'The service’s operator does this on the command line. Members of a tenant can also\ncreate keys and set the webhook in the dashboard.',
  )
  const name = `Demo of ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`
  const created = z.object({
    tenantId: z.uuid(),
    name: z.string(),
    plan: z.string(),
    subscription: z.string(),
  })
  const tenant = await runOperator(service, ['tenant', 'create', '--name', name], created, screen)
  screen.rows(Object.entries(tenant))
  const { tenantId } = tenant
  if (!service.temporary) {
    closing.defer(async () => {
      await runOperator(service, ['tenant', 'disable', '--tenant', tenantId], z.unknown())
      screen.note(`The demo’s tenant ${tenantId} was disabled.`)
    })
  }

  const key = z.object({ apiKeyId: z.string(), apiKey: z.string(), scopes: z.array(z.string()) })
  const { apiKey, scopes } = await runOperator(service, ['key', 'create', '--tenant', tenantId], key, screen)
  screen.rows([
    ['apiKey', `${apiKey.slice(0, 12)}…`, 'shown only once; the service stores its SHA-256'],
    ['scopes', scopes.join(', ')],
  ])

  const { webhookUrl } = service.addresses
  const webhook = z.object({ webhookUrl: z.literal(webhookUrl), webhookSecret: z.string() })
  const setWebhook = ['tenant', 'set-webhook', '--tenant', tenantId, '--url', webhookUrl]
  const { webhookSecret } = await runOperator(service, setWebhook, webhook, screen)
  screen.rows([
    ['webhookUrl', webhookUrl, 'the local webhook receiver'],
    ['webhookSecret', `${webhookSecret.slice(0, 10)}…`, 'signs every event'],
  ])
  return { tenantId, apiKey, webhookSecret }
}
