import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { StartError } from '../../start-error.ts'
import { keptCertificate } from './certificate.ts'
import { EventFile } from './event-file.ts'
import type { Reception } from './receive-event.ts'
import { createReceiverApp } from './receiver-app.ts'
import { createViewApp } from './view-app.ts'

export interface EventReceiverOptions {
  /** Where the certificate and the last events are kept. */
  folder: string
  /** Its view asks nobody who they are, so it is for this machine only. */
  host: '127.0.0.1' | '::1'
  /** 0 takes a free one, here and below. */
  httpsPort: number
  viewPort: number
  secrets: Reception['secrets']
  now?: () => Date
  /** Gets what went wrong inside; a wrong signature is no such thing. */
  onError?: (error: Error) => void
}

export interface EventReceiver {
  /** Where events are sent. */
  webhookUrl: string
  /** Where they can be looked at. */
  viewUrl: string
  /** Path of the PEM file that the sender has to trust. */
  authorityFile: string
  close(): Promise<void>
}

/**
 * Starts a tenant's receiver of events on this machine, so that the first event can be seen before a receiver
 * is written. Throws a `StartError` when it cannot listen.
 */
export async function startWebhookReceiver(options: EventReceiverOptions): Promise<EventReceiver> {
  const { folder, host, now = () => new Date(), onError = console.error } = options
  const closing = new AsyncDisposableStack()
  try {
    const events = await EventFile.open(join(folder, 'received-events.jsonl'))
    closing.defer(() => events.close())
    const { keyAndCertificate, authorityFile } = await keptCertificate(folder, now())
    const handle = createReceiverApp({ events, now, secrets: options.secrets }, onError).callback()
    const receiver = createHttpsServer({ key: keyAndCertificate, cert: keyAndCertificate }, handle)
    const webhookUrl = `https://${await listen(receiver, host, options.httpsPort)}/events`
    closing.defer(() => close(receiver))
    const view = createHttpServer(createViewApp(events, webhookUrl).callback())
    const viewUrl = `http://${await listen(view, host, options.viewPort)}/events`
    closing.defer(() => close(view))
    const open = closing.move()
    return { webhookUrl, viewUrl, authorityFile, close: () => open.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** The authority part of its address. */
function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', error =>
      reject(new StartError(`The event receiver cannot listen on ${host}:${port}: ${error.message}`)),
    )
    server.listen(port, host, () => {
      const taken = (server.address() as AddressInfo).port
      resolve(host.includes(':') ? `[${host}]:${taken}` : `${host}:${taken}`)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
