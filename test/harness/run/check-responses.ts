import { type Channel, channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkErrorResponse } from '../check-error-response.ts'
import { type SentResponse, undeclaredPartOf } from '../declared-responses.ts'

/**
 * Fails after a test in which the service sent a response that the OpenAPI documents don't declare, or an error, also of
 * the console, with details or a text that are not those of its code. Observes every HTTP server of this process and,
 * for the service in another process, every client that uses undici, such as `fetch`. The service is recognised by its
 * request id, which other servers that tests start don't send.
 */
export const mochaHooks = {
  beforeAll() {
    for (const [name, listener] of Object.entries(listeners)) channel(name).subscribe(listener)
  },
  afterEach: failIfUndeclared,
  afterAll() {
    for (const [name, listener] of Object.entries(listeners)) channel(name).unsubscribe(listener)
    failIfUndeclared()
  },
}

const undeclared: string[] = []

function failIfUndeclared(): void {
  const [first, ...others] = takeUndeclared()
  if (first === undefined) return
  throw new Error(`A response is not as declared (${others.length} more): ${first}`)
}

/** What has been found since the last test, and not reported yet. */
export function takeUndeclared(): string[] {
  return undeclared.splice(0)
}

/** Checks a response of the service. Call it for those that no channel shows: that are written to a socket. */
export function check({ body, ...head }: Omit<SentResponse, 'body'> & { body: () => string }): void {
  if (head.method === 'HEAD' || !head.headers.has('x-request-id')) return
  const sent = { ...head, body: body() }
  const wrong = undeclaredPartOf(sent) ?? wrongErrorOf(sent)
  if (wrong !== undefined) undeclared.push(wrong)
}

/** The console responds to a batch in which some calls failed with 207. */
function wrongErrorOf({ status, headers, body }: SentResponse): string | undefined {
  const mayHaveErrors = status >= 400 || status === 207
  if (!mayHaveErrors || !headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    checkErrorResponse(JSON.parse(body))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The tenant API sends less; nothing is kept of what other servers stream. */
const bodyLengthMax = 256 * 1024
/** Of the servers of this process that are not closed: another process may be given the port of one that is. */
const ownPorts = new Set<number>()

function observeServer(message: unknown): void {
  const { request, response, server } = message as {
    request: IncomingMessage
    response: ServerResponse
    server: Server
  }
  keepOwnPort((request.socket.address() as AddressInfo).port, server)
  const { write, end } = response
  const chunks: (string | Uint8Array)[] = []
  let length = 0
  const keep = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    length += chunk.length
    if (length <= bodyLengthMax) chunks.push(chunk)
  }
  response.write = ((...given: Parameters<typeof write>) => {
    keep(given[0])
    return write.apply(response, given)
  }) as typeof write
  response.end = ((...given: Parameters<typeof end>) => {
    keep(given[0])
    const isGone = !request.socket.writable
    const ended = end.apply(response, given)
    // Nobody receives the response to a client that is gone, and it has no body.
    if (isGone || length > bodyLengthMax) return ended
    const head = (response as unknown as { _header?: string })._header ?? ''
    const { method = '', url = '' } = request
    check({
      method,
      target: url,
      status: response.statusCode,
      headers: headersIn(head),
      body: () => textOf(chunks),
    })
    return ended
  }) as typeof end
}

function keepOwnPort(port: number, server: Server): void {
  if (ownPorts.has(port)) return
  ownPorts.add(port)
  server.once('close', () => ownPorts.delete(port))
}

/** Of the head of a response, as it is sent. */
function headersIn(head: string): Headers {
  const headers = new Headers()
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}

interface ClientRequest {
  origin: string
  method: string
  path: string
}

const received = new WeakMap<ClientRequest, { status: number; headers: Headers; chunks: Uint8Array[] }>()

function observeHeaders(message: unknown): void {
  const { request, response } = message as {
    request: ClientRequest
    response: { statusCode: number; headers: Buffer[] }
  }
  const headers = new Headers()
  for (let i = 0; i < response.headers.length; i += 2) {
    headers.append(String(response.headers[i]), String(response.headers[i + 1]))
  }
  if (headers.has('x-request-id')) received.set(request, { status: response.statusCode, headers, chunks: [] })
}

function observeChunk(message: unknown): void {
  const { request, chunk } = message as { request: ClientRequest; chunk: Buffer }
  received.get(request)?.chunks.push(Buffer.from(chunk))
}

function observeEnd(message: unknown): void {
  const { request } = message as { request: ClientRequest }
  const response = received.get(request)
  if (!response || ownPorts.has(Number(new URL(request.origin).port))) return
  const { status, headers, chunks } = response
  check({ method: request.method, target: request.path, status, headers, body: () => textOf(chunks) })
}

function textOf(chunks: (string | Uint8Array)[]): string {
  return Buffer.concat(
    chunks.map(chunk => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
  ).toString()
}

const listeners: Record<string, Parameters<Channel['subscribe']>[0]> = {
  'http.server.request.start': observeServer,
  'undici:request:headers': observeHeaders,
  'undici:request:bodyChunkReceived': observeChunk,
  'undici:request:trailers': observeEnd,
}
