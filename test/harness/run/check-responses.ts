import { channel } from 'node:diagnostics_channel'
import { checkErrorResponse } from '../check-error-response.ts'
import { type SentResponse, undeclaredPartOf } from '../declared-responses.ts'

/**
 * Fails after a test in which the service sent a response that the OpenAPI documents don't declare, or an error, also of
 * the console, with details or a text that are not those of its code. Observes every client of this process that uses
 * undici, such as `fetch`, for as long as it lives. The service is recognised by its request id, which other servers that
 * tests start don't send.
 */
export const mochaHooks = {
  /** What came after the end of the file before is not this file's. */
  beforeAll: () => void takeUndeclared(),
  afterEach: failIfUndeclared,
  afterAll: failIfUndeclared,
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
export function check(sent: SentResponse): void {
  if (sent.method === 'HEAD' || !sent.headers.has('x-request-id')) return
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

interface ClientRequest {
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
  if (!response) return
  const { status, headers, chunks } = response
  const body = Buffer.concat(chunks).toString()
  check({ method: request.method, target: request.path, status, headers, body })
}

channel('undici:request:headers').subscribe(observeHeaders)
channel('undici:request:bodyChunkReceived').subscribe(observeChunk)
channel('undici:request:trailers').subscribe(observeEnd)
