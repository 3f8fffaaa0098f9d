import { createServer } from 'node:http'
import { z } from 'zod'
import { loopback } from '../embedded-context.ts'
import { acceptLocalRequests, listenLocally } from '../local-requests.ts'
import { createEventsPage } from './events-page.ts'
import { type ReceivedEvent, receiveEvents } from './receive-events.ts'

export interface WebhookReceiverOptions {
  /** Stores the certificate. */
  folder: string
  /** 0 picks a free port, here and below. */
  httpsPort: number
  viewPort: number
  /** Returns the tenant's webhook secrets; none for an unknown tenant. */
  secrets(tenantId: string): Promise<readonly string[]>
  /** The service's public URL, whose host the view accepts too. */
  publicUrl?: string
  /** Called with the errors of requests; an invalid signature is not one. */
  onError(error: Error): void
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

const ofTenant = z.object({ tenantId: z.uuid() })
const eventsMax = 200

/**
 * Starts a tenant's webhook receiver on this machine, with a page that shows the last 200 events, so that they can be seen
 * before you write a receiver. Also events with an invalid signature are shown, so that a wrong secret can be noticed. Throws a
 * `StartError` if it cannot listen.
 */
export async function startWebhookReceiver(options: WebhookReceiverOptions) {
  const { folder, publicUrl, onError } = options
  const newestFirst: ReceivedEvent[] = []
  await using closing = new AsyncDisposableStack()
  const { url, authorityFile, close } = await receiveEvents({
    folder,
    port: options.httpsPort,
    path: '/events',
    secretsFor(body) {
      const { data } = ofTenant.safeParse(body)
      return data ? options.secrets(data.tenantId) : []
    },
    onEvent(event) {
      newestFirst.unshift(event)
      newestFirst.splice(eventsMax)
    },
    onError,
  })
  closing.defer(close)
  const page = createServer(acceptLocalRequests(createEventsPage(newestFirst, url), { publicUrl }))
  const view = await listenLocally('The webhook receiver', page, options.viewPort)
  closing.defer(() => view.close())
  const open = closing.move()
  return {
    /** Events are delivered here. */
    webhookUrl: url,
    /** The received events are shown here. */
    viewUrl: `http://${loopback}:${view.port}/events`,
    /** Path of the PEM file with the certificate that the sender must trust. */
    authorityFile,
    close: () => open.disposeAsync(),
  }
}
