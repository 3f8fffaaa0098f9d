import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { StartError } from '#server/configuration/start-error.ts'
import { loopback } from './embedded-context.ts'

interface LocalRequestOptions {
  /** The service's public URL: where it is not loopback, a proxy in front can send its host. */
  publicUrl?: string | undefined
  /** Origins of other pages that may send requests, such as the dashboard. */
  origins?: readonly string[]
}

export interface LocalServerOptions extends LocalRequestOptions {
  /** 0 picks a free port. */
  port: number
}

/** Listens on loopback. Throws a `StartError` that begins with the server's name if the port is taken. */
export async function listenLocally(
  name: string,
  server: Server & { closeAllConnections(): void },
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  try {
    await once(server.listen(port, loopback), 'listening')
  } catch (cause) {
    const { message } = cause as Error
    throw new StartError(`${name} cannot listen on ${loopback}:${port}: ${message}`, { cause })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/**
 * Passes on only requests that are meant for a local server, so that a website that a developer visits cannot use it:
 * `Host` must be a loopback name with the server's port (against DNS rebinding), and `Origin`, if present, the
 * server's own or a listed one. Others get 421 or 403 with a plain message.
 */
export function acceptLocalRequests(
  handle: RequestListener,
  options: LocalRequestOptions = {},
): RequestListener {
  return (request, response) => {
    const rejection = findRejection(request, options)
    if (!rejection) return handle(request, response)
    const text = `${rejection.message}\n`
    response.writeHead(rejection.status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    response.end(text)
  }
}

interface Rejection {
  status: 403 | 421
  message: string
}

function findRejection(
  { headers, socket }: IncomingMessage,
  { publicUrl, origins = [] }: LocalRequestOptions,
): Rejection | undefined {
  const port = socket.localPort
  const hosts = allowedHosts(port, publicUrl)
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
    const message = `The Host header is not an address of this development server. Use http://127.0.0.1:${port}.`
    return { status: 421, message }
  }
  const ownOrigins = hosts.map(host => `http://${host}`)
  const publicOrigins = publicUrl === undefined ? [] : [new URL(publicUrl).origin]
  const allowed = [...ownOrigins, ...publicOrigins, ...origins]
  if (headers.origin === undefined || allowed.includes(headers.origin.toLowerCase())) return undefined
  return { status: 403, message: 'This development server accepts no requests from other websites.' }
}

function allowedHosts(port: number | undefined, publicUrl: string | undefined): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  const { host, hostname } = publicUrl === undefined ? {} : new URL(publicUrl)
  if (hostname !== undefined) names.push(hostname)
  const hosts = names.flatMap(name => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return host === undefined ? hosts : [...hosts, host]
}
