import type { IncomingHttpHeaders } from 'node:http'
import type { Pool } from 'undici'
import { z } from 'zod'
import { ProviderUnavailable } from '#domain/ports.ts'

/** The limit on a response body; Veriff's are a few KiB. */
export const responseBytesMax = 1024 * 1024

export interface VeriffRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string
  /** Statuses that the caller handles, besides 2xx. */
  handled?: readonly number[]
}

export interface VeriffResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Sends a request and reads the whole response within the deadline. Throws `ProviderUnavailable` with a reason that
 * has no URLs, bodies or keys. It has no cause either, because a parser's error quotes its input.
 */
export async function sendRequest(
  pool: Pool,
  request: VeriffRequest,
  deadlineMs: number,
): Promise<VeriffResponse> {
  const { handled = [], ...sent } = request
  const response = await transfer(pool, sent, deadlineMs)
  const { status } = response
  const isExpected = (status >= 200 && status < 300) || handled.includes(status)
  if (!isExpected) throw unexpectedResponse(response)
  return response
}

/** With Veriff's own error code (1302: the callback must be https), which tells an operator what to fix. */
export function unexpectedResponse(response: VeriffResponse): ProviderUnavailable {
  const { status } = response
  const code = readErrorCode(response)
  const failure = status >= 400 && status < 500 ? 'rejected' : 'server_error'
  return new ProviderUnavailable(
    failure,
    `Veriff returned ${status}${code === undefined ? '' : ` with code ${code}`}`,
    readRetryAfterMs(response),
  )
}

/** Veriff publishes no rate and no delay, so a 429 without a number of seconds means a few. */
function readRetryAfterMs({ status, headers }: VeriffResponse): number | undefined {
  if (status !== 429) return undefined
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return 1000 * (seconds >= 0 ? Math.min(seconds, 3600) : 5)
}

/** Veriff's error code, four digits; undefined if the response has none. */
export function readErrorCode({ body }: VeriffResponse): string | undefined {
  return errorBody.safeParse(parseJson(body)).data?.code
}

/** Parses and validates the JSON of a response. Throws `ProviderUnavailable`, which quotes nothing of the response. */
export function parseResponse<S extends z.ZodType>(response: VeriffResponse, schema: S): z.output<S> {
  const parsed = schema.safeParse(parseJson(response.body))
  if (!parsed.success) {
    throw new ProviderUnavailable('invalid_response', 'Veriff returned an unreadable response')
  }
  return parsed.data
}

async function transfer(
  pool: Pool,
  request: Omit<VeriffRequest, 'handled'>,
  deadlineMs: number,
): Promise<VeriffResponse> {
  const signal = AbortSignal.timeout(deadlineMs)
  const read = async () => {
    const { statusCode: status, headers, body } = await pool.request({ ...request, signal })
    return { status, headers, body: Buffer.from(await body.arrayBuffer()) }
  }
  // undici heeds the signal only once it is connected.
  const { promise: late, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', reject)
  try {
    return await Promise.race([read(), late])
  } catch (error) {
    throw signal.aborted
      ? new ProviderUnavailable('timeout', `Veriff did not respond within ${deadlineMs} ms`)
      : new ProviderUnavailable('unreachable', `Veriff is unreachable: ${connectionErrorCode(error)}`)
  } finally {
    signal.removeEventListener('abort', reject)
  }
}

/** A code of Node or undici, such as ECONNREFUSED or UND_ERR_RES_EXCEEDED_MAX_SIZE. */
function connectionErrorCode(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? code : (error as Error).name
}

const errorBody = z.object({
  code: z.union([z.string(), z.number().transform(String)]).pipe(z.string().regex(/^\d{4}$/)),
})

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
