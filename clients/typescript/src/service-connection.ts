import type { ErrorCode, ErrorDetails } from './api-types.ts'
import { AgeVerificationError, ServiceConnectionError } from './errors.ts'
import { type Fetch, fetchWithin } from './fetch-within.ts'
import { isRecord, parseJson } from './json.ts'
import { pause } from './pause.ts'
import { type RetryPolicy, retryDelayMs } from './retry.policy.ts'

export interface ServiceConnectionOptions {
  baseUrl: string
  apiKey: string
  fetch: Fetch
  timeoutMs: number
  retries: RetryPolicy
}

/** Each must be safe to repeat: a read, or a request with an idempotency key. */
export interface ServiceRequest {
  method: 'GET' | 'POST'
  path: string
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Replaces the connection's. */
  timeoutMs?: number
  /** Replaces the connection's. */
  retriesMax?: number
}

/** Calls the tenant API with an API key, and repeats what failed transiently. */
export class ServiceConnection {
  readonly #options: ServiceConnectionOptions

  constructor(options: ServiceConnectionOptions) {
    this.#options = options
  }

  /** Throws an `AgeVerificationError`, a `ServiceConnectionError`, or the signal's reason. */
  async request<Result>(request: ServiceRequest): Promise<Result> {
    const { retries } = this.#options
    const policy = { ...retries, retriesMax: request.retriesMax ?? retries.retriesMax }
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#attempt(request)) as Result
      } catch (error) {
        const delayMs = retryDelayMs(error, attempt, policy)
        if (delayMs === undefined) throw error
        await pause(delayMs, request.signal)
      }
    }
  }

  #attempt({ method, path, body, headers, signal, timeoutMs }: ServiceRequest): Promise<unknown> {
    const { baseUrl, apiKey, fetch } = this.#options
    return fetchWithin(baseUrl + path, {
      fetch,
      init: {
        method,
        headers: {
          'x-tenant-api-key': apiKey,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        // A followed redirect would pass the API key on to another host.
        redirect: 'manual',
      },
      timeoutMs: timeoutMs ?? this.#options.timeoutMs,
      signal,
      read: readResponse,
    })
  }
}

async function readResponse(response: Response): Promise<Record<string, unknown>> {
  const body = parseJson(await response.text())
  if (response.ok && isRecord(body)) return body
  const { status } = response
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
  if (!isErrorEnvelope(body)) {
    const message = `The response (HTTP ${status}) is not one of the service. Is baseUrl right?`
    throw new ServiceConnectionError('invalid_response', message, { status, retryAfterSeconds })
  }
  const { error, message, details, requestId } = body
  throw new AgeVerificationError({ code: error, message, details, status, requestId, retryAfterSeconds })
}

interface ErrorEnvelope {
  error: ErrorCode
  message: string
  details: ErrorDetails
  requestId: string
}

function isErrorEnvelope(body: unknown): body is ErrorEnvelope {
  return isRecord(body) && typeof body.error === 'string' && typeof body.requestId === 'string'
}

/** In seconds. The service sends seconds; a proxy can send a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
