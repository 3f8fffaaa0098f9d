import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { StartError } from '../configuration/start-error.ts'
import { boundParts } from './bound-parts.ts'
import { limitConnections } from './connections.ts'
import { closeInSteps } from './lingering-close.ts'
import { type LatestResponses, oneAtATime } from './one-at-a-time.ts'
import { rejectConnect, rejectMalformed } from './reject-malformed.ts'

/** Of one process. */
export const connectionsMax = 10_000

/** Requests that wait for a change; the other connections are for those that don't, the provider's among them. */
export const waitingMax = 0.8 * connectionsMax

/** Bounds on what clients can hold: connections, and the memory behind them. Times in milliseconds. */
const defaultLimits = {
  /** How long a client may take to send the headers of a request. */
  headersMs: 12_000,
  /** How long a client may take to send a whole request. */
  requestMs: 12_000,
  /** How long a client may leave a response unread, without any progress. */
  unreadResponseMs: 60_000,
  connectionsMax,
  connectionsPerAddressMax: 1_000,
}

export type ServerLimits = typeof defaultLimits

/**
 * Connections that wait to be accepted; the operating system may allow fewer. A client that finds the queue full tries
 * again after one, three and seven seconds.
 */
const backlogMax = 4_096
/** How often requests that take too long are looked for. */
const checkIntervalMsMax = 1_000

/** Of a request's line and headers, and so of its query. */
const headerBytesMax = 16 * 1024
/** Longer than the idle timeout of common load balancers (60 s), so that the client closes first. */
const keepAliveMs = 65_000
/** How long requests in flight may take during a shutdown. Shorter than the provider's timeout of 10 s. */
const drainMsMax = 7_000
/** How long clients may take to read the error that they get after that. */
const rejectionMsMax = 500

export type Listening = Awaited<ReturnType<typeof listen>>

interface ListenAddress {
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
) {
  const all = { ...defaultLimits, ...limits }
  const { headersMs, requestMs, unreadResponseMs } = all
  const latestResponse: LatestResponses = new WeakMap()
  const endRequest = ({ socket }: IncomingMessage) => {
    const latest = latestResponse.get(socket)
    if (latest?.writableFinished) socket.destroy()
    else rejectMalformed(socket, latest)
  }
  const server = createServer({
    IncomingMessage: boundParts(endRequest),
    requireHostHeader: false,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestMs,
    headersTimeout: Math.min(headersMs, requestMs),
    connectionsCheckingInterval: Math.min(headersMs / 10, requestMs / 10, checkIntervalMsMax),
    maxHeaderSize: headerBytesMax,
  })
  const connections = limitConnections(server, all, socket => stateOf(latestResponse.get(socket)))
  closeInSteps(server, socket => latestResponse.get(socket)?.req)
  let isEnding = false
  const unanswered = () => [...connections].map(socket => latestResponse.get(socket)).filter(isUnanswered)
  const endConnections = () => {
    isEnding = true
    for (const response of unanswered()) response.shouldKeepAlive = false
  }
  const handleInTurn = oneAtATime(handle, latestResponse)
  const onRequest: RequestListener = (request, response) => {
    if (isEnding) response.shouldKeepAlive = false
    handleInTurn(request, response)
  }
  server.on('request', onRequest)
  server.on('checkContinue', (request, response) => {
    // When the body is read, or after the response, to which Node adds `Connection: close` for a body that it never asked for.
    request.once('resume', () => response.headersSent || response.writeContinue())
    onRequest(request, response)
  })
  server.on('checkExpectation', onRequest)
  server.on('clientError', (_error, socket) => rejectMalformed(socket, latestResponse.get(socket)))
  server.setTimeout(unreadResponseMs, socket => closeUnread(socket, latestResponse.get(socket)))
  server.on('connect', (_request, socket) => rejectConnect(socket, latestResponse.get(socket)))
  await bindTo(server, address)
  return {
    server,
    port: readPort(server),
    /** From now on, each connection ends with its next response, so that clients and proxies open others elsewhere. */
    endConnections,
    /**
     * Stops accepting connections; resolves when all requests in flight have their response. After 7 s, `reject` sends
     * an error to those that have none.
     */
    async drain(reject: (response: ServerResponse) => void = () => {}): Promise<void> {
      endConnections()
      await drain(server, () => unanswered().forEach(reject))
    },
  }
}

function stateOf(latest: ServerResponse | undefined) {
  if (!latest) return 'none'
  return latest.writableFinished && latest.req.complete ? 'answered' : 'open'
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
  const server = createTcpServer()
  await bindTo(server, address)
  await new Promise(closed => server.close(closed))
}

async function bindTo(server: TcpServer, address: ListenAddress): Promise<void> {
  const { host, port } = address
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host, port, backlog: backlogMax }, resolve)
  try {
    await promise
  } catch (error) {
    throw new StartError(describeBindError(error as NodeJS.ErrnoException, address), { cause: error })
  }
}

function readPort(server: TcpServer): number {
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

async function drain(server: Server, rejectUnanswered: () => void): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(rejectUnanswered, drainMsMax)
  const tooLate = setTimeout(() => server.closeAllConnections(), drainMsMax + rejectionMsMax)
  await closed
  clearInterval(idle)
  clearTimeout(late)
  clearTimeout(tooLate)
}
