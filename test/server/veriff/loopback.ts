import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface Loopback {
  /** `127.0.0.1:port`, without a scheme. */
  host: string
  /** How many connections were accepted so far. */
  connections(): number
  /** Resolves when every connection is closed. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** A real HTTP server on a free loopback port. */
export function serveHttp(listener: RequestListener): Promise<Loopback> {
  return open(createServer(listener))
}

/** A TCP server on a free loopback port. */
export function serveTcp(onConnection: (socket: Socket) => void): Promise<Loopback> {
  return open(net.createServer(onConnection))
}

export function respondJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function open(server: net.Server): Promise<Loopback> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    quiet: async () => {
      await Promise.all([...sockets].map(socket => new Promise(resolve => socket.once('close', resolve))))
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
