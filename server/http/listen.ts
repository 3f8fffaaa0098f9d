import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import type { Duplex } from 'node:stream'
import { StartError } from '../start-error.ts'
import { bind, openAcceptors, sharesPort } from './acceptors.ts'
import { rejectConnect, rejectMalformed } from './reject-malformed.ts'

/** Bounds on what clients can hold: connections, and the memory behind them. Times in milliseconds. */
export interface ServerLimits {
  /** How long a client may take to send the headers of a request. */
  headersMs: number
  /** How long a client may take to send a whole request. */
  requestMs: number
  /** How long a client may leave a response unread, without any progress. */
  unreadResponseMs: number
  /** Further connections are closed when they are opened. */
  connectionsMax: number
}

/** Of one process. */
export const connectionsMax = 10_000

const defaultLimits: ServerLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  unreadResponseMs: 60_000,
  connectionsMax,
}

/** Of a request's line and headers, and so of its query. */
const headerBytesMax = 16 * 1024
/** Longer than the idle timeout of common load balancers (60 s), so that the client closes first. */
const keepAliveMs = 65_000
/** How long requests in flight may take during a shutdown. Shorter than the provider's timeout of 10 s. */
const drainMsMax = 7_000
/** How long clients may take to read the error that they get after that. */
const rejectionMsMax = 500

export interface Listening {
  server: Server
  port: number
  /** From now on, each connection ends with its next response, so that clients and proxies open others elsewhere. */
  endConnections(): void
  /**
   * Stops accepting connections; resolves when all requests in flight have their response. After 7 s, `reject` responds
   * to those that have none.
   */
  drain(reject?: Reject): Promise<void>
}

/** Sends an error as the response. */
export type Reject = (response: ServerResponse) => void

export interface ListenAddress {
  host: string
  port: number
  /** The environment variable that sets the port; `PORT` by default. */
  variable?: 'PORT' | 'METRICS_PORT'
}

/**
 * Serves requests within the limits. Throws a `StartError` that names the environment variable if the address cannot be
 * bound.
 */
export async function listen(
  handle: RequestListener,
  address: ListenAddress,
  limits: Partial<ServerLimits> = {},
): Promise<Listening> {
  const { headersMs, requestMs, unreadResponseMs, connectionsMax } = { ...defaultLimits, ...limits }
  const server = createServer({
    requireHostHeader: false,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestMs,
    headersTimeout: Math.min(headersMs, requestMs),
    connectionsCheckingInterval: Math.min(headersMs, requestMs) / 10,
    maxHeaderSize: headerBytesMax,
  })
  const connections = limitConnections(server, connectionsMax)
  const latestResponse = new WeakMap<Duplex, ServerResponse>()
  let isEnding = false
  const unanswered = () => [...connections].map(socket => latestResponse.get(socket)).filter(isUnanswered)
  const endConnections = () => {
    isEnding = true
    for (const response of unanswered()) response.shouldKeepAlive = false
  }
  server.on('request', (request, response) => {
    latestResponse.set(request.socket, response)
    if (isEnding) response.shouldKeepAlive = false
    handle(request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (_error, socket) => rejectMalformed(socket, latestResponse.get(socket)))
  server.setTimeout(unreadResponseMs, socket => closeUnread(socket, latestResponse.get(socket)))
  server.on('connect', (_request, socket) => rejectConnect(socket))
  // A socket that shares its port doesn't notice that another process has it.
  const port = sharesPort ? await bindOnce(address) : address.port
  await bindTo(server, { ...address, port })
  const bound = portOf(server)
  const acceptors = await openAcceptors(server, { host: address.host, port: bound })
  return {
    server,
    port: bound,
    endConnections,
    async drain(reject = () => {}) {
      endConnections()
      await drain(server, acceptors, () => unanswered().forEach(reject))
    },
  }
}

/** Of all acceptors together. Returns those that are open. */
function limitConnections(server: Server, connectionsMax: number): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.prependListener('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size > connectionsMax) socket.destroy()
  })
  return open
}

function isUnanswered(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.headersSent && !response.destroyed
}

/**
 * Closes a connection without activity, unless its request is still being handled. Node counts each byte that the
 * client accepts as activity, so a slow client that makes progress stays connected.
 */
function closeUnread(socket: Socket, latest: ServerResponse | undefined): void {
  const isHandling = latest !== undefined && !latest.writableEnded
  if (socket.writableLength > 0 || !isHandling) socket.destroy()
}

/** Fails before anything else is started if the port is taken. Throws a `StartError` as `listen` does. */
export async function assertPortFree(address: ListenAddress): Promise<void> {
  await bindOnce(address)
}

async function bindOnce(address: ListenAddress): Promise<number> {
  const server = createTcpServer()
  await bindTo(server, address, false)
  const port = portOf(server)
  await new Promise(closed => server.close(closed))
  return port
}

async function bindTo(server: TcpServer, address: ListenAddress, reusePort?: boolean): Promise<void> {
  try {
    await bind(server, address, reusePort)
  } catch (error) {
    throw new StartError(describeBindError(error as NodeJS.ErrnoException, address), { cause: error })
  }
}

function portOf(server: TcpServer): number {
  return (server.address() as AddressInfo).port
}

function describeBindError(error: NodeJS.ErrnoException, address: ListenAddress): string {
  const { host, port, variable = 'PORT' } = address
  switch (error.code) {
    case 'EADDRINUSE':
      return `${variable} ${port} is taken on ${host}: set ${variable} to a free port.`
    case 'EACCES':
      return `${variable} ${port} needs more privileges: set ${variable} to a port above 1023.`
    case 'EADDRNOTAVAIL':
      return `HOST ${host} is not an address of this machine.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} cannot be resolved.`
    default:
      return `HOST ${host}, ${variable} ${port} cannot be used: ${error.message}`
  }
}

async function drain(server: Server, acceptors: TcpServer[], rejectUnanswered: () => void): Promise<void> {
  const closed = [server, ...acceptors].map(each => new Promise(resolve => each.close(resolve)))
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(rejectUnanswered, drainMsMax)
  const tooLate = setTimeout(() => server.closeAllConnections(), drainMsMax + rejectionMsMax)
  await Promise.all(closed)
  clearInterval(idle)
  clearTimeout(late)
  clearTimeout(tooLate)
}
