import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { Refusal } from '#domain/errors.ts'
import { envelopeOf, statusOf } from '#rest/errors.ts'
import { requestIdHeader } from './middleware/request-id.ts'

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

/** Serves the app. Rejects with the system's error when the port can't be had. */
export async function listen(app: Koa, at: { host: string; port: number }): Promise<Listening> {
  const handle = app.callback()
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: keepAliveMs }, handle)
  server.requestTimeout = requestMsMax
  server.on('checkExpectation', handle)
  server.on('clientError', (_error, socket) => answerRaw(socket, malformed()))
  server.on('connect', (_request: IncomingMessage, socket) =>
    answerRaw(socket, new Refusal('ROUTE_NOT_FOUND')),
  )
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(at.port, at.host, resolve)
  await promise
  return { server, port: (server.address() as AddressInfo).port, drain: () => drain(server) }
}

/** Finds out early that a port is taken, before anything else is started. Rejects with the system's error. */
export async function assertPortFree(at: { host: string; port: number }): Promise<void> {
  await probe(at)
}

/** A port that nobody listens on. */
export async function freePort(host: string): Promise<number> {
  return await probe({ host, port: 0 })
}

async function probe(at: { host: string; port: number }): Promise<number> {
  const server = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(at.port, at.host, resolve)
  await promise
  const { port } = server.address() as AddressInfo
  await new Promise(closed => server.close(closed))
  return port
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

function malformed(): Refusal {
  return new Refusal('INVALID_PARAMETERS', {
    message: 'The request is not well-formed HTTP, its headers are too large, or it was not sent in time.',
  })
}

const reasons = { 400: 'Bad Request', 404: 'Not Found' } as Record<number, string>

/** Answers what Node's parser refused and Koa never sees, in the same envelope. */
function answerRaw(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify(envelopeOf(refusal, requestId))
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
