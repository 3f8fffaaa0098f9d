import type { IncomingHttpHeaders } from 'node:http'
import type { Pool } from 'undici'
import { z } from 'zod'
import { ProviderUnavailable } from '#domain/ports.ts'

/** The limit on a response body; Veriff's are a few KiB. */
export const responseBytesMax = 1024 * 1024

export interface VeriffRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Whether 404 is an expected response. */
  allowNotFound?: boolean
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
  const abort = new AbortController()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // While it connects, undici handles an abort only once there is a socket. The race doesn't wait for that.
    reject(new ProviderUnavailable(`Veriff did not respond within ${deadlineMs} ms`))
    abort.abort()
  }, deadlineMs)
  try {
    return await Promise.race([deadline, expectResponse(pool, request, abort.signal)])
  } finally {
    clearTimeout(timer)
  }
}

/** Parses and validates the JSON of a response. Throws `ProviderUnavailable`, which quotes nothing of the response. */
export function parseResponse<S extends z.ZodType>(response: VeriffResponse, schema: S): z.output<S> {
  const parsed = schema.safeParse(parseJson(response.body))
  if (!parsed.success) throw new ProviderUnavailable('Veriff returned an unreadable response')
  return parsed.data
}

async function expectResponse(
  pool: Pool,
  { allowNotFound = false, ...request }: VeriffRequest,
  signal: AbortSignal,
): Promise<VeriffResponse> {
  const response = await transfer(pool, request, signal)
  const { status, body } = response
  const isExpected = (status >= 200 && status < 300) || (allowNotFound && status === 404)
  if (!isExpected) throw new ProviderUnavailable(`Veriff returned ${status}${describeErrorCode(body)}`)
  return response
}

async function transfer(
  pool: Pool,
  request: Omit<VeriffRequest, 'allowNotFound'>,
  signal: AbortSignal,
): Promise<VeriffResponse> {
  try {
    const { statusCode, headers, body } = await pool.request({ ...request, signal })
    return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
  } catch (error) {
    throw new ProviderUnavailable(`Veriff is unreachable: ${connectionErrorCode(error)}`)
  }
}

/** A code of Node or undici, such as ECONNREFUSED or UND_ERR_RES_EXCEEDED_MAX_SIZE. */
function connectionErrorCode(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? code : (error as Error).name
}

/** Veriff's own error code (1302: the callback must be https), which tells an operator what to fix. */
function describeErrorCode(body: Buffer): string {
  const parsed = errorBody.safeParse(parseJson(body))
  return parsed.success ? ` with code ${parsed.data.code}` : ''
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
