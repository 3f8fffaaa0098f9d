import { createServer } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { loopback } from '../embedded-context.ts'
import { acceptLocalRequests, listenLocally } from '../local-requests.ts'
import { loadOrCreateCertificate } from './certificate.ts'
import { openEventStore } from './event-store.ts'
import { createEventsPage } from './events-page.ts'
import { receiveEvents } from './receive-events.ts'

export interface WebhookReceiverOptions {
  /** Stores the certificate and the last events. */
  folder: string
  /** 0 picks a free port, here and below. */
  httpsPort: number
  viewPort: number
  /** Returns the tenant's webhook secrets; none for an unknown tenant. */
  secrets(tenantId: string): Promise<readonly string[]>
  /** The service's public URL, whose host the view accepts too. */
  publicUrl?: string
  now?: () => Date
  /** Called with the errors of requests; an invalid signature is not one. */
  onError?: (error: Error) => void
}

export interface WebhookReceiver {
  /** Events are delivered here. */
  webhookUrl: string
  /** The received events are shown here. */
  viewUrl: string
  /** Path of the PEM file with the certificate that the sender must trust. */
  authorityFile: string
  close(): Promise<void>
}

const ofTenant = z.object({ tenantId: z.uuid() })

/**
 * Starts a tenant's webhook receiver on this machine, with a page that shows the events, so that they can be seen before
 * you write a receiver. Also events with an invalid signature are shown, so that a wrong secret can be noticed. Throws a
 * `StartError` if it cannot listen.
 */
export async function startWebhookReceiver(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const { folder, publicUrl, now = () => new Date(), onError = console.error } = options
  await using closing = new AsyncDisposableStack()
  const events = openEventStore(join(folder, 'received-events.sqlite'))
  closing.defer(() => events.close())
  const certificate = await loadOrCreateCertificate(folder, now())
  const receiver = await receiveEvents({
    port: options.httpsPort,
    path: '/events',
    certificate,
    secretsFor(body) {
      const { data } = ofTenant.safeParse(body)
      return data ? options.secrets(data.tenantId) : []
    },
    onEvent({ receivedAt, headers, raw, body, secret }) {
      const signature = secret === -1 ? 'invalid' : 'valid'
      events.add({ receivedAt: receivedAt.toISOString(), signature, headers, body, raw })
    },
    onError,
    now,
  })
  closing.defer(() => receiver.close())
  const page = createEventsPage(events, receiver.url).callback()
  const server = createServer(acceptLocalRequests(page, { publicUrl }))
  const view = await listenLocally('The webhook receiver', server, options.viewPort)
  closing.defer(() => view.close())
  const open = closing.move()
  return {
    webhookUrl: receiver.url,
    viewUrl: `http://${loopback}:${view.port}/events`,
    authorityFile: certificate.authorityFile,
    close: () => open.disposeAsync(),
  }
}
