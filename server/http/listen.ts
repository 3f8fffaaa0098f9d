import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { DomainError } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import { StartError } from '../start-error.ts'
import { requestIdHeader } from './request-id.ts'

/** A client that is slower than this with its whole request is not waited for. */
const requestMsMax = 30_000
/** Longer than the idle time of usual load balancers (60 s), so that the client is the one to hang up. */
const keepAliveMs = 65_000

export interface Listening {
  server: Server
  port: number
  /** Takes no new connection, and answers when the requests in flight have been answered. */
  drain(): Promise<void>
}

/** Where to listen, and the variable that says so: `PORT` by default. */
export interface Place {
  host: string
  port: number
  variable?: 'PORT' | 'METRICS_PORT'
}

/**
 * Serves the app. A client has `clientMsMax` milliseconds for its whole request. Throws a `StartError` that names
 * the variable when the port can't be had.
 */
export async function listen(app: Koa, at: Place, clientMsMax = requestMsMax): Promise<Listening> {
  const handle = app.callback()
  const server = createServer({
    requireHostHeader: false,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: clientMsMax,
    headersTimeout: clientMsMax,
    connectionsCheckingInterval: clientMsMax / 10,
  })
  const latest = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request, response) => {
    latest.set(request.socket, response)
    handle(request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (_error, socket) => refuseMalformed(socket, latest.get(socket)))
  server.on('connect', (_request: IncomingMessage, socket) =>
    answerRaw(socket, new DomainError('ROUTE_NOT_FOUND')),
  )
  return { server, port: await bind(server, at), drain: () => drain(server) }
}

/** Finds out early that a port is taken, before anything else is started. Throws as `listen` does. */
export async function assertPortFree(at: Place): Promise<void> {
  await probe(at)
}

/** A port that nobody listens on. */
export async function freePort(host: string): Promise<number> {
  return await probe({ host, port: 0 })
}

async function probe(at: Place): Promise<number> {
  const server = createServer()
  const port = await bind(server, at)
  await new Promise(closed => server.close(closed))
  return port
}

async function bind(server: Server, at: Place): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(at.port, at.host, resolve)
  try {
    await promise
  } catch (error) {
    throw new StartError(whyNot(error as NodeJS.ErrnoException, at), { cause: error })
  }
  return (server.address() as AddressInfo).port
}

function whyNot({ code, message }: NodeJS.ErrnoException, { host, port, variable = 'PORT' }: Place): string {
  if (code === 'EADDRINUSE') return `${variable} ${port} is taken on ${host}: set ${variable} to a free port.`
  if (code === 'EACCES') return `${variable} ${port} needs more rights: set ${variable} to one above 1023.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${host} is not an address of this machine.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `HOST ${host} is not known.`
  return `HOST ${host}, ${variable} ${port} cannot be used: ${message}`
}

/** How long requests in flight may take once the process is to end: the provider's deadline does not fit. */
const drainMsMax = 7_000

async function drain(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), drainMsMax)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/** Answers what can't be read, in its turn: an answer to an earlier request is neither cut short nor taken over. */
function refuseMalformed(socket: Duplex, latest: ServerResponse | undefined): void {
  const refuse = () => answerRaw(socket, malformed())
  if (!latest || latest.writableFinished) refuse()
  else if (latest.req.complete) latest.once('close', refuse)
  else if (latest.headersSent) socket.destroy()
  else refuse()
}

function malformed(): DomainError {
  return new DomainError('INVALID_PARAMETERS', {
    message: 'The request is not well-formed HTTP, its headers are too large, or it was not sent in time.',
  })
}

const reasons = { 400: 'Bad Request', 404: 'Not Found' } as Record<number, string>

/** Answers what Node's parser refused and Koa never sees, in the same envelope. */
function answerRaw(socket: Duplex, refusal: DomainError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify(toErrorEnvelope(refusal, requestId))
  const status = statusOf[refusal.code]
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${requestIdHeader}: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
