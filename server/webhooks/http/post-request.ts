import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { AttemptError } from './attempt-error.ts'
import { readStatus } from './read-status.ts'
import type { ReceiverAgent, ReceiverRequest } from './receiver-agent.ts'

export interface PostRequest extends Omit<ReceiverRequest, 'signal'> {
  headers: OutgoingHttpHeaders
  body: Buffer
  /** For the whole request and its response. */
  deadlineMs: number
}

/** Bytes of a response, including headers and framing; a longer one closes the connection. */
const responseBytesMax = 64 * 1_024
const headerBytesMax = 16 * 1_024

/**
 * Sends a POST request and returns the response's status as soon as its headers have arrived. Nothing but the status is
 * needed: if the headers can't be parsed or end early, it is returned as well, and the connection is closed. The body is
 * read and discarded, until the deadline at most. Throws an `AttemptError`.
 */
export function postRequest(post: PostRequest, agent: ReceiverAgent): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { headers, body, deadlineMs, ...target } = post
  const { url } = target
  const deadline = new AbortController()
  const { signal } = deadline
  const receiver = { ...target, signal }
  const options = {
    agent,
    method: 'POST',
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'content-length': body.byteLength },
    maxHeaderSize: headerBytesMax,
    signal,
    receiver,
  }
  const outgoing = request(options)
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  outgoing.once('close', () => clearTimeout(timer))
  const received: Buffer[] = []
  outgoing.on('socket', socket => readResponse(outgoing, socket, received))
  outgoing.on('response', response => {
    response.on('error', () => outgoing.destroy())
    response.resume()
    agent.drain(response.socket, receiver)
    resolve(response.statusCode ?? 0)
  })
  outgoing.on('error', error => {
    const status = signal.aborted ? undefined : readStatus(Buffer.concat(received))
    if (status === undefined) reject(attemptError(error, signal))
    else resolve(status)
  })
  outgoing.on('upgrade', (response, socket) => {
    socket.destroy()
    resolve(response.statusCode ?? 0)
  })
  outgoing.end(body)
  return promise
}

/** Keeps what arrives until Node has parsed the headers; beyond the limit, the connection is closed. */
function readResponse(outgoing: ClientRequest, socket: Socket, received: Buffer[]): void {
  let bytesLeft = responseBytesMax
  const keep = (chunk: Buffer) => received.push(chunk)
  const count = (chunk: Buffer) => {
    bytesLeft -= chunk.length
    if (bytesLeft < 0) outgoing.destroy(new AttemptError('malformed_response'))
  }
  // Before Node's parser, which fails within the same event.
  socket.prependListener('data', keep)
  socket.on('data', count)
  outgoing.once('response', () => socket.off('data', keep))
  outgoing.once('close', () => socket.off('data', keep).off('data', count))
}

function attemptError(error: NodeJS.ErrnoException, signal: AbortSignal): AttemptError {
  if (signal.aborted) return new AttemptError('timeout')
  if (error instanceof AttemptError) return error
  if (error.code?.startsWith('HPE_')) return new AttemptError('malformed_response', { cause: error })
  // With TLS 1.3 the receiver can reject the handshake after this side has completed it.
  if (error.code?.startsWith('ERR_SSL_')) return new AttemptError('tls', { cause: error, fault: 'handshake' })
  return new AttemptError('connect', { cause: error })
}
