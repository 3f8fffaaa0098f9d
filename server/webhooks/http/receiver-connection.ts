import { Agent, type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { AttemptError } from './attempt-error.ts'
import type { Deadline } from './deadline.ts'

/** One connection to a receiver, kept alive between requests. */
export interface ReceiverConnection {
  /** Whether a request can be sent on it: open, and not closed by the receiver. */
  isAlive(): boolean
  /**
   * Sends a POST request and returns the response's status as soon as its headers have arrived. The body is read
   * and discarded, until the deadline at most. Throws an `AttemptError`.
   */
  post(post: PostRequest, deadline: Deadline): Promise<number>
  close(): void
}

export interface PostRequest {
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** Called synchronously, so that nobody uses a connection in a state that it has left. */
export interface ConnectionEvents {
  /** The headers have arrived: the attempt is complete, although the body may still be arriving. */
  onResponse(): void
  /** The response is read completely; the connection can be reused. */
  onIdle(): void
  /** Closed by either side, also after `close()`. */
  onClosed(): void
}

/** Bytes of a response, including headers and framing; a longer one closes the connection. */
const responseBytesMax = 64 * 1_024
const headerBytesMax = 16 * 1_024

/** Less than the 5 s after which many servers close; a receiver's `Keep-Alive: timeout=` can shorten it. */
const idleMs = 4_000

export function createReceiverConnection(socket: TLSSocket, events: ConnectionEvents): ReceiverConnection {
  const agent = singleSocketAgent(socket)
  let bytesLeft = 0
  socket.on('data', (chunk: Buffer) => {
    // 0 bytes are left while idle: unsolicited data closes the connection.
    bytesLeft -= chunk.length
    if (bytesLeft < 0) socket.destroy()
  })
  // The receiver has closed its side; half-open connections aren't kept.
  socket.on('end', () => socket.destroy())
  socket.once('close', events.onClosed)

  return {
    isAlive: () => !socket.destroyed && socket.writable && !socket.readableEnded,
    post(post, deadline) {
      deadline.signal.throwIfAborted()
      bytesLeft = responseBytesMax
      const outgoing = sendPost(post, agent)
      const onAbort = () => socket.destroy()
      const onDone = () => {
        bytesLeft = 0
        deadline.cancel()
        deadline.signal.removeEventListener('abort', onAbort)
        socket.off('free', onDone).off('close', onDone)
        if (!socket.destroyed) events.onIdle()
      }
      deadline.signal.addEventListener('abort', onAbort)
      // Runs after the agent's own listener, which closes on `free` a connection that the receiver won't keep.
      socket.on('free', onDone).on('close', onDone)
      return statusOf(outgoing, deadline.signal, events.onResponse)
    },
    close: () => socket.destroy(),
  }
}

/** Applies Node's keep-alive rules to the one connection; never opens another. */
function singleSocketAgent(socket: TLSSocket): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: idleMs })
  agent.createConnection = () => {
    if (socket.destroyed) throw new AttemptError('connect')
    return socket
  }
  return agent
}

function sendPost({ url, headers, body }: PostRequest, agent: Agent): ClientRequest {
  const outgoing = request({
    agent,
    method: 'POST',
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'content-length': body.byteLength },
    maxHeaderSize: headerBytesMax,
  })
  outgoing.end(body)
  return outgoing
}

function statusOf(outgoing: ClientRequest, signal: AbortSignal, onResponse: () => void): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let isSettled = false
  const fail = (cause?: NodeJS.ErrnoException) => {
    if (isSettled) return
    isSettled = true
    outgoing.destroy()
    // With TLS 1.3 the receiver can reject the handshake after this side has completed it.
    const reason = cause?.code?.startsWith('ERR_SSL_') ? 'tls' : 'connect'
    reject(signal.aborted ? signal.reason : new AttemptError(reason, cause))
  }
  outgoing.on('response', response => {
    isSettled = true
    response.on('error', () => outgoing.destroy())
    response.resume()
    onResponse()
    resolve(response.statusCode ?? 0)
  })
  outgoing.on('error', fail)
  // Switching protocols (101) isn't a valid response to a webhook request.
  outgoing.on('upgrade', (_response, socket) => socket.destroy())
  outgoing.on('close', fail)
  return promise
}
