import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { createServer, type Server as TcpServer } from 'node:net'

/**
 * Node accepts one connection per listening socket in each iteration of the event loop. In an overload, when iterations
 * are long and clients open further connections, a new one would wait for many seconds, the provider's among them.
 */
const acceptorCount = 16

/**
 * Has further sockets on the server's port accept connections for it, where the system supports it. The server must have
 * been bound with `sharesPort`.
 */
export async function openAcceptors(
  server: Server,
  address: { host: string; port: number },
): Promise<TcpServer[]> {
  if (!sharesPort) return []
  const acceptors = Array.from({ length: acceptorCount - 1 }, () =>
    // The options of an HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, socket => server.emit('connection', socket)),
  )
  await Promise.all(acceptors.map(acceptor => bind(acceptor, address)))
  return acceptors
}

/** Whether several sockets of this process share a port. In a cluster, the primary accepts for all processes. */
export const sharesPort = process.platform === 'linux' && !cluster.isWorker

/**
 * Connections that wait to be accepted, per socket; the operating system may allow fewer. A client that finds the queue
 * full tries again after one, three and seven seconds.
 */
const backlogMax = 4_096

/** Listens. Rejects with the system's error if the address cannot be bound. */
export async function bind(
  server: TcpServer,
  { host, port }: { host: string; port: number },
  reusePort = sharesPort,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host, port, backlog: backlogMax, reusePort }, resolve)
  await promise
}
