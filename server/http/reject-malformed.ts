import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DomainError } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import { requestIdHeader } from './request-id.ts'

/** Error responses to requests that Node's HTTP parser rejects and that never reach Koa. */

/**
 * Rejects bytes that are not a valid request. Pipelined responses keep their order: an earlier request gets its
 * response first, and a response that has begun is never mixed with this one. A connection of which nothing was read is
 * closed without a response: a process that was frozen may have read too late, and a client repeats what has no response.
 */
export function rejectMalformed(socket: Duplex, latest: ServerResponse | undefined): void {
  if ((socket as Socket).bytesRead === 0) {
    socket.destroy()
    return
  }
  const reject = () => sendRawError(socket, malformed())
  if (!latest || latest.writableFinished) reject()
  else if (latest.req.complete) latest.once('close', reject)
  // A response without a socket waits for those before it.
  else if (latest.headersSent || !latest.socket) socket.destroy()
  else reject()
}

/** Rejects the method CONNECT, which no route handles. Node has removed its listeners from the socket. */
export function rejectConnect(socket: Duplex, latest: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy())
  if (latest && !latest.writableFinished) socket.destroy()
  else sendRawError(socket, new DomainError('ROUTE_NOT_FOUND'))
}

function malformed(): DomainError {
  return new DomainError('INVALID_PARAMETERS', {
    message:
      'The request is not well-formed HTTP, its headers are too large, its body has too many parts, or it was not sent in time.',
  })
}

/** How long a client may take to read the response and to close its side. */
const lingerMs = 1_000

/** Writes the error envelope to the socket and closes it, whether or not the client closes its side. */
function sendRawError(socket: Duplex, error: DomainError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify(toErrorEnvelope(error, requestId))
  const status = statusOf[error.code]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${requestIdHeader}: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Bytes that nobody reads would have the system reset the connection before the client has the response.
  socket.resume()
  const late = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(late))
}
