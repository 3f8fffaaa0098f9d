import type { ErrorCode, ErrorDetails } from './api-types.ts'
import { AgeVerificationError, ServiceConnectionError } from './errors.ts'
import { type Fetch, type FetchResponse, fetchWithin } from './fetch-within.ts'
import { isRecord, parseJson } from './json.ts'
import { pause } from './pause.ts'
import { type ResponseInfo, readResponseInfo, type WithResponse, withResponse } from './response-info.ts'
import { type RetryPolicy, retryDelayMs } from './retry.policy.ts'
import { version } from './version.ts'

/** An attempt of a request. Without headers and body, which have secrets and data of people. */
export interface RequestEvent {
  method: 'GET' | 'POST'
  /** The path with its query. */
  path: string
  /** 1 for the first one. */
  attempt: number
}

/** How an attempt ended. */
export interface ResponseEvent extends RequestEvent {
  durationMs: number
  /** Undefined if the service did not respond. */
  response: ResponseInfo | undefined
  /** What the call throws, unless it is tried again. */
  error: Error | undefined
}

/** Called with each attempt, for logs, metrics and traces. What they throw, the call throws. */
export interface Hooks {
  onRequest?: ((event: RequestEvent) => void) | undefined
  onResponse?: ((event: ResponseEvent) => void) | undefined
}

export interface ServiceConnectionOptions extends Hooks {
  baseUrl: string
  apiKey: string
  fetch: Fetch
}

/** Each must be safe to repeat: a read, or a request with an idempotency key. */
export interface ServiceRequest {
  method: 'GET' | 'POST'
  path: string
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** For each attempt. */
  timeoutMs: number
  retries: RetryPolicy
}

/** Calls the tenant API with an API key, and repeats what failed transiently. */
export class ServiceConnection {
  readonly #options: ServiceConnectionOptions

  constructor(options: ServiceConnectionOptions) {
    this.#options = options
  }

  /** Throws an `AgeVerificationError`, a `ServiceConnectionError`, or the signal's reason. */
  async request<Result extends object>(request: ServiceRequest): Promise<WithResponse<Result>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#observe(request, attempt)) as WithResponse<Result>
      } catch (error) {
        const delayMs = retryDelayMs(error, attempt, request.retries)
        if (delayMs === undefined) throw error
        await pause(delayMs, request.signal)
      }
    }
  }

  async #observe(request: ServiceRequest, attempt: number): Promise<object> {
    const { onRequest, onResponse } = this.#options
    const { method, path } = request
    const event = { method, path, attempt }
    const startedAt = performance.now()
    let response: ResponseInfo | undefined
    let failure: unknown
    onRequest?.(event)
    try {
      return await this.#attempt(request, info => {
        response = info
      })
    } catch (error) {
      failure = error
      throw error
    } finally {
      const durationMs = performance.now() - startedAt
      const error = failure instanceof Error ? failure : undefined
      onResponse?.({ ...event, durationMs, response, error })
    }
  }

  #attempt(request: ServiceRequest, onResponse: (info: ResponseInfo) => void): Promise<object> {
    const { baseUrl, apiKey, fetch } = this.#options
    const { method, path, body, headers, signal, timeoutMs } = request
    return fetchWithin(baseUrl + path, {
      fetch,
      init: {
        method,
        headers: {
          'x-tenant-api-key': apiKey,
          'user-agent': `age-verification-client/${version}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        // A followed redirect would pass the API key on to another host.
        redirect: 'manual',
      },
      timeoutMs,
      signal,
      read: async response => {
        const info = readResponseInfo(response.status, response.headers)
        onResponse(info)
        return withResponse(await readResponse(response), info)
      },
    })
  }
}

async function readResponse(response: FetchResponse): Promise<Record<string, unknown>> {
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
