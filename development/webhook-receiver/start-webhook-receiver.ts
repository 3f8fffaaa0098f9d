import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { join } from 'node:path'
import { acceptLocalRequests } from '../local-requests.ts'
import { loadOrCreateCertificate } from './certificate.ts'
import { EventStore } from './event-store.ts'
import { close, listen } from './listen.ts'
import { createReceiverApp, type ReceiverOptions } from './receiver-app.ts'
import { createViewApp } from './view-app.ts'

export interface WebhookReceiverOptions {
  /** Stores the certificate and the last events. */
  folder: string
  /** Loopback only: the view requires no sign-in. */
  host: '127.0.0.1' | '::1'
  /** 0 picks a free port, here and below. */
  httpsPort: number
  viewPort: number
  secrets: ReceiverOptions['secrets']
  /** The service's public URL, whose host the view accepts too. */
  publicUrl?: string
  now?: () => Date
  /** Called with unexpected errors; an invalid signature is not one. */
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

/**
 * Starts a tenant's webhook receiver on this machine, so that events can be seen before you write a receiver.
 * Throws a `StartError` if it cannot listen.
 */
export async function startWebhookReceiver(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const { folder, host, publicUrl, now = () => new Date(), onError = console.error } = options
  const closing = new AsyncDisposableStack()
  try {
    const events = new EventStore(join(folder, 'received-events.sqlite'))
    closing.defer(() => events.close())
    const { keyAndCertificate, authorityFile } = await loadOrCreateCertificate(folder, now())
    const handle = createReceiverApp({ events, now, secrets: options.secrets }, onError).callback()
    const receiver = createHttpsServer({ key: keyAndCertificate, cert: keyAndCertificate }, handle)
    const webhookUrl = `https://${await listen(receiver, host, options.httpsPort)}/events`
    closing.defer(() => close(receiver))
    const view = createHttpServer(
      acceptLocalRequests(createViewApp(events, webhookUrl).callback(), { publicUrl }),
    )
    const viewUrl = `http://${await listen(view, host, options.viewPort)}/events`
    closing.defer(() => close(view))
    const open = closing.move()
    return { webhookUrl, viewUrl, authorityFile, close: () => open.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}
