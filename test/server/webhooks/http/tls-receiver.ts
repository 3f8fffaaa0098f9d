import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'

/** A webhook receiver on loopback that records what it receives. */
export interface Receiver {
  port: number
  /** `https://receiver.test:PORT/` */
  url: string
  /** Bodies of the requests, in the order of arrival. */
  bodies: string[]
  requests: IncomingMessage[]
  /** All TCP connections, also closed ones. */
  connections: Socket[]
  server: Server
  close(): Promise<void>
}

export interface ReceiverOptions extends TlsOptions {
  certificate?: 'receiver' | 'expired' | 'self-signed'
  host?: string
  /** A free port by default. */
  port?: number
}

export const tlsFile = (name: string): string =>
  new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url).pathname

/** Calls `respond` for every request, after its body has arrived; returns 204 by default. */
export async function startReceiver(
  options: ReceiverOptions = {},
  respond: (response: ServerResponse, request: IncomingMessage) => void = response =>
    response.writeHead(204).end(),
): Promise<Receiver> {
  const receiver = await listen(createHttpsServer(tlsOptions(options)), options)
  receiver.server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    receiver.requests.push(request)
    receiver.bodies.push(await text(request))
    respond(response, request)
  })
  return receiver
}

/** Resolves when the connection is closed. */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

/** Speaks TLS without HTTP: calls `respond` with the connection when the first bytes have arrived. */
export async function startRawReceiver(
  respond: (socket: TLSSocket) => void,
  options: ReceiverOptions = {},
): Promise<Receiver> {
  const receiver = await listen(createTlsServer(tlsOptions(options)), options)
  receiver.server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => {})
    socket.on('data', chunk => {
      receiver.bodies.push(chunk.toString())
      if (receiver.bodies.length === 1) respond(socket)
    })
  })
  return receiver
}

function tlsOptions({ certificate = 'receiver', ...options }: ReceiverOptions): TlsOptions {
  const pem = readFileSync(tlsFile(certificate))
  return { cert: pem, key: pem, ...options }
}

/** Listens on loopback. */
export async function listen(
  server: Server,
  { host = '127.0.0.1', port = 0 }: ReceiverOptions = {},
): Promise<Receiver> {
  const connections: Socket[] = []
  server.on('connection', socket => {
    connections.push(socket)
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  server.listen(port, host)
  await once(server, 'listening')
  const { port: actualPort } = server.address() as AddressInfo
  return {
    port: actualPort,
    url: `https://receiver.test:${actualPort}/`,
    bodies: [],
    requests: [],
    connections,
    server,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}
