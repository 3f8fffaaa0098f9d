import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedContext } from './embedded-context.ts'
import { loopback } from './loopback.ts'
import { type EventReceiver, startWebhookReceiver } from './webhook-receiver/start-webhook-receiver.ts'

type SecretsOf = (tenantId: string) => Promise<readonly string[]>

export interface EmbeddedReceiver extends Pick<EventReceiver, 'webhookUrl' | 'viewUrl'> {
  /** PEM file with all authorities that the sender has to trust. */
  authorities: string
  /** From now on signatures are checked by a tenant's secrets, the newest first; until then events wait. */
  checkWith(secretsOf: SecretsOf): void
}

/** A receiver of events for the demo tenant, so that the first event can be seen before one is written. */
export async function embedWebhookReceiver(
  { config, folder, log, closing }: EmbeddedContext,
  ports: { events: number; eventsView: number },
): Promise<EmbeddedReceiver> {
  const known = Promise.withResolvers<SecretsOf>()
  const receiver = await startWebhookReceiver({
    ...{ folder, host: loopback, httpsPort: ports.events, viewPort: ports.eventsView },
    secrets: async tenantId => (await known.promise)(tenantId),
    onError: error => log.error({ err: error }, 'The local event receiver failed'),
  })
  closing.defer(() => receiver.close())
  return {
    webhookUrl: receiver.webhookUrl,
    viewUrl: receiver.viewUrl,
    authorities: await joinAuthorities(folder, [receiver.authorityFile, config.webhookCaFile]),
    checkWith: known.resolve,
  }
}

async function joinAuthorities(folder: string, files: (string | undefined)[]): Promise<string> {
  const named = files.filter(file => file !== undefined)
  const texts = await Promise.all(named.map(file => readFile(file, 'utf8')))
  const joined = join(folder, 'receiver-authorities.pem')
  await writeFile(joined, texts.join('\n'))
  return joined
}
