import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { DemoService } from '../demo/open-service.ts'
import { runOperator } from '../demo/operator.ts'
import { startEventServer } from '../receive/event-server.ts'
import { loadOrCreateCertificate } from '../webhook-receiver/certificate.ts'

/**
 * Prepares the demo tenant of a temporary service. Returns the environment variables for a command. Events go to the
 * service's local receiver or, with `forwardTo`, are passed on until `closing` is disposed of.
 */
export async function createSandbox(
  service: DemoService,
  forwardTo: string | undefined,
  closing: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const { baseUrl, veriffUrl, eventsUrl, webhookUrl } = service.addresses
  const folder = service.env.DATA_DIR ?? ''
  const tenantId = (await readFile(join(folder, 'demo-tenant'), 'utf8')).trim()
  const url = forwardTo === undefined ? webhookUrl : await forward(folder, forwardTo, closing)
  const key = z.object({ apiKey: z.string() })
  const webhook = z.object({ webhookSecret: z.string() })
  const setWebhook = ['tenant', 'set-webhook', '--tenant', tenantId, '--url', url]
  const { apiKey } = await runOperator(service, ['key', 'create', '--tenant', tenantId], key)
  const { webhookSecret } = await runOperator(service, setWebhook, webhook)
  return {
    SERVICE_URL: baseUrl,
    API_KEY: apiKey,
    TENANT_ID: tenantId,
    WEBHOOK_SECRETS: webhookSecret,
    SIMULATOR_URL: veriffUrl,
    ...(forwardTo === undefined ? { EVENTS_URL: eventsUrl } : {}),
  }
}

/** Returns the URL of an https endpoint that passes events on. The service trusts the certificate of its data folder. */
async function forward(folder: string, forwardTo: string, closing: AsyncDisposableStack): Promise<string> {
  const server = await startEventServer({
    port: 0,
    status: undefined,
    delayMs: 0,
    forwardTo,
    certificate: await loadOrCreateCertificate(folder, new Date()),
    secrets: () => [],
    onEvent: ({ forwardError }) => {
      if (forwardError) console.error(`A webhook event could not be passed on: ${forwardError}`)
    },
    onError: ({ message }) => console.error(`A webhook event could not be received: ${message}`),
  })
  closing.defer(() => server.close())
  return server.webhookUrl
}
