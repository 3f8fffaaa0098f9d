import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { AttemptError } from './attempt-error.ts'
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
 * Sends a POST request and returns the response's status as soon as its headers have arrived. The body is read and
 * discarded, until the deadline at most. Throws an `AttemptError`.
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
  outgoing.on('socket', socket => limitResponse(outgoing, socket))
  outgoing.on('response', response => {
    response.on('error', () => outgoing.destroy())
    response.resume()
    agent.drain(response.socket, receiver)
    resolve(response.statusCode ?? 0)
  })
  outgoing.on('error', error => reject(attemptError(error, signal)))
  // Switching protocols (101) isn't a valid response to a webhook request.
  outgoing.on('upgrade', (_response, socket) => {
    socket.destroy()
    reject(new AttemptError('connect'))
  })
  outgoing.end(body)
  return promise
}

function limitResponse(outgoing: ClientRequest, socket: Socket): void {
  let bytesLeft = responseBytesMax
  const count = (chunk: Buffer) => {
    bytesLeft -= chunk.length
    if (bytesLeft < 0) socket.destroy()
  }
  socket.on('data', count)
  outgoing.once('close', () => socket.off('data', count))
}

function attemptError(error: NodeJS.ErrnoException, signal: AbortSignal): AttemptError {
  if (signal.aborted) return new AttemptError('timeout')
  if (error instanceof AttemptError) return error
  // With TLS 1.3 the receiver can reject the handshake after this side has completed it.
  return new AttemptError(error.code?.startsWith('ERR_SSL_') ? 'tls' : 'connect', error)
}
