import type { OutgoingHttpHeaders } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { receiverHost } from '#domain/network/webhook-url.policy.ts'
import { AttemptError } from './attempt-error.ts'
import type { ReceiverAgent } from './receiver-agent.ts'
import { tlsFault, type UsedSocket } from './tls-fault.ts'

export interface PostRequest {
  tenantId: string
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer
  /** For the whole request and its response. */
  deadlineMs: number
}

/** Bytes of a response's headers, and of its body; a longer one closes the connection. */
const responseBytesMax = 64 * 1_024

/**
 * Sends a POST request and returns the response's status as soon as its headers have arrived: nothing else is needed. The
 * body is read and discarded, until the deadline at most. Throws an `AttemptError`.
 */
export function postRequest(post: PostRequest, agent: ReceiverAgent): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { tenantId, url, headers, body, deadlineMs } = post
  const host = receiverHost(url)
  const signal = AbortSignal.timeout(deadlineMs)
  const options: RequestOptions & { tenantId: string } = {
    agent,
    tenantId,
    method: 'POST',
    hostname: host,
    // RFC 6066: an IP address isn't a valid server name; the certificate is verified against it all the same.
    servername: isIP(host) === 0 ? host : '',
    headers: { ...headers, host: url.host, 'content-length': body.byteLength },
    // Only the status counts: a later line that isn't strict HTTP makes no failure of it.
    insecureHTTPParser: true,
    maxHeaderSize: responseBytesMax,
    signal,
  }
  const outgoing = request(url, options)
  const used: UsedSocket = { socket: undefined, isHandshaking: false }
  outgoing.on('socket', socket => {
    used.socket = socket as TLSSocket
    // On a connection that is reused the listeners would never be called, and pile up.
    if (!socket.connecting) return
    socket.once('connect', () => {
      used.isHandshaking = true
    })
    socket.once('secureConnect', () => {
      used.isHandshaking = false
    })
  })
  outgoing.on('response', response => {
    let bytesLeft = responseBytesMax
    response.on('error', () => outgoing.destroy())
    response.on('data', (chunk: Buffer) => {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) outgoing.destroy()
    })
    resolve(response.statusCode ?? 0)
  })
  outgoing.on('upgrade', (response, upgraded) => {
    upgraded.destroy()
    resolve(response.statusCode ?? 0)
  })
  outgoing.on('error', error =>
    reject(signal.aborted ? new AttemptError('timeout') : attemptError(error, used)),
  )
  outgoing.end(body)
  return promise
}

function attemptError(error: NodeJS.ErrnoException, used: UsedSocket): AttemptError {
  if (error instanceof AttemptError) return error
  const fault = tlsFault(error, used)
  if (fault) return new AttemptError('tls', { cause: error, fault })
  return new AttemptError(error.code?.startsWith('HPE_') ? 'malformed_response' : 'connect', { cause: error })
}
