import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { ProviderUnavailable } from '#domain/ports.ts'
import { usesOutgoingProxy } from '../../configuration/outgoing-proxy.ts'
import { decodeBody } from './decode-body.ts'

/** The limit on a response body, before and after it is decoded; Veriff's are a few KiB. */
const responseBytesMax = 1024 * 1024

export interface VeriffRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface VeriffResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body as it arrived, with its content codings. */
  wireBody: Buffer
}

export interface Connections {
  origin: string
  /** Reused ones. */
  kept: Dispatcher
  /** One for each request. */
  fresh: Dispatcher
}

export function openConnections(origin: string, deadlineMs: number): Connections {
  const options = {
    allowH2: false, // undici enforces `maxResponseSize` for HTTP/1.1 only
    connect: { timeout: deadlineMs },
    connections: 512, // further requests are queued, within their deadline
    maxResponseSize: responseBytesMax,
  }
  const open = (more = {}) => new (usesOutgoingProxy() ? EnvHttpProxyAgent : Agent)({ ...options, ...more })
  return { origin, kept: open(), fresh: open({ pipelining: 0 }) }
}

/** The end of one call, however many requests it takes. */
export interface Deadline {
  ms: number
  signal: AbortSignal
}

/**
 * Sends a request and reads the whole response, whatever its status, within the deadline. Throws `ProviderUnavailable` with
 * a reason that has no URLs, bodies or keys. It has no cause either, because a parser's error quotes its input.
 */
export async function sendRequest(
  connections: Connections,
  request: VeriffRequest,
  { ms, signal }: Deadline,
): Promise<VeriffResponse> {
  // undici heeds the signal only once it is connected.
  const { promise: late, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', reject)
  try {
    return await Promise.race([
      transfer(connections, { ...request, origin: connections.origin, signal }),
      late,
    ])
  } catch (error) {
    throw signal.aborted
      ? new ProviderUnavailable('timeout', `Veriff did not respond within ${ms} ms`)
      : new ProviderUnavailable('unreachable', `Veriff is unreachable: ${connectionErrorCode(error)}`)
  } finally {
    signal.removeEventListener('abort', reject)
  }
}

type Sent = Dispatcher.RequestOptions & { signal: AbortSignal }

async function transfer(connections: Connections, sent: Sent): Promise<VeriffResponse> {
  const { statusCode: status, headers, body } = await respond(connections, sent)
  const wireBody = Buffer.from(await body.arrayBuffer())
  const contentEncoding = String(headers['content-encoding'] ?? '')
  return { status, headers, wireBody, body: decodeBody(wireBody, contentEncoding, responseBytesMax) }
}

/**
 * Once more on a new connection, if the connection was closed before a response began: what is between us can close idle ones
 * whenever it likes. A session that is created twice by that is not opened by anyone.
 */
async function respond({ kept, fresh }: Connections, sent: Sent): Promise<Dispatcher.ResponseData> {
  try {
    return await kept.request(sent)
  } catch (error) {
    if (sent.signal.aborted || !closedConnection.has(connectionErrorCode(error))) throw error
    return await fresh.request(sent)
  }
}

const closedConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** A code of Node or undici, such as ECONNREFUSED or UND_ERR_RES_EXCEEDED_MAX_SIZE. */
function connectionErrorCode(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? code : (error as Error).name
}
