import { Agent, type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { AttemptFailure } from './attempt-failure.ts'
import type { Deadline } from './deadline.ts'

/** One connection to a receiver, kept alive between events. */
export interface ReceiverConnection {
  /** Whether an event may be posted on it: open, and not ended by the receiver. */
  isAlive(): boolean
  /**
   * Posts an event and answers with the status, as soon as the answer's headers are there. What follows is read
   * and thrown away, until the deadline at most. Throws an `AttemptFailure`.
   */
  post(event: PostedEvent, deadline: Deadline): Promise<number>
  close(): void
}

export interface PostedEvent {
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** Told synchronously, so that nobody sees a connection in a state that it has left. */
export interface ConnectionEvents {
  /** The attempt is over, though the answer's body may still be on its way. */
  onAnswer(): void
  /** The whole answer is read; the next event may be posted. */
  onFree(): void
  /** Closed, by whichever side. Also after `close()`. */
  onClosed(): void
}

/** Of an answer, headers and framing included: what is longer ends the connection. */
const answerBytesMax = 64 * 1_024
const headerBytesMax = 16 * 1_024

/** Under the 5 s after which many servers close; a receiver's `Keep-Alive: timeout=` may shorten it. */
const idleMilliseconds = 4_000

export function createReceiverConnection(socket: TLSSocket, events: ConnectionEvents): ReceiverConnection {
  const agent = agentOf(socket)
  let bytesLeft = 0
  socket.on('data', (chunk: Buffer) => {
    // Also what arrives unasked, when 0 are left: a receiver can't keep an idle connection busy.
    bytesLeft -= chunk.length
    if (bytesLeft < 0) socket.destroy()
  })
  // The receiver has hung up: no half-open connection is kept.
  socket.on('end', () => socket.destroy())
  socket.once('close', events.onClosed)

  return {
    isAlive: () => !socket.destroyed && socket.writable && !socket.readableEnded,
    post(event, deadline) {
      deadline.signal.throwIfAborted()
      bytesLeft = answerBytesMax
      const outgoing = send(event, agent)
      const onAbort = () => socket.destroy()
      const onDone = () => {
        bytesLeft = 0
        deadline.end()
        deadline.signal.removeEventListener('abort', onAbort)
        socket.off('free', onDone).off('close', onDone)
        if (!socket.destroyed) events.onFree()
      }
      deadline.signal.addEventListener('abort', onAbort)
      // Heard after the agent, which closes on `free` what the receiver doesn't want kept.
      socket.on('free', onDone).on('close', onDone)
      return statusOf(outgoing, deadline.signal, events.onAnswer)
    },
    close: () => socket.destroy(),
  }
}

/** Node's keep-alive rules for the one connection; it never opens another. */
function agentOf(socket: TLSSocket): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: idleMilliseconds })
  agent.createConnection = () => {
    if (socket.destroyed) throw new AttemptFailure('connect')
    return socket
  }
  return agent
}

function send({ url, headers, body }: PostedEvent, agent: Agent): ClientRequest {
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

function statusOf(outgoing: ClientRequest, signal: AbortSignal, onAnswer: () => void): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let isSettled = false
  const fail = (cause?: NodeJS.ErrnoException) => {
    if (isSettled) return
    isSettled = true
    outgoing.destroy()
    // With TLS 1.3 the receiver may refuse after its side of the handshake has ended.
    const reason = cause?.code?.startsWith('ERR_SSL_') ? 'tls' : 'connect'
    reject(signal.aborted ? signal.reason : new AttemptFailure(reason, cause))
  }
  outgoing.on('response', answer => {
    isSettled = true
    answer.on('error', () => outgoing.destroy())
    answer.resume()
    onAnswer()
    resolve(answer.statusCode ?? 0)
  })
  outgoing.on('error', fail)
  // Switching protocols (101) is no answer to an event.
  outgoing.on('upgrade', (_answer, socket) => socket.destroy())
  outgoing.on('close', fail)
  return promise
}
