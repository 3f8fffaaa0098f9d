import type { ErrorCode } from './api-types.ts'
import { AgeVerificationError, ServiceConnectionError } from './errors.ts'
import { type Fetch, type FetchResponse, fetchWithin } from './fetch-within.ts'
import { callHook, type Hooks } from './hooks.ts'
import { isRecord, parseJson } from './json.ts'
import { pause } from './pause.ts'
import { readText } from './read-bounded.ts'
import { hasForm, type ResponseForm } from './response-forms.ts'
import { type ResponseInfo, readResponseInfo, type WithResponse, withResponse } from './response-info.ts'
import { type RetryPolicy, readRetryAfter, retryDelayMs } from './retry.policy.ts'
import { version } from './version.ts'

interface ServiceConnectionOptions extends Hooks {
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
  /** What a response has to have. */
  form: ResponseForm
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
    await callHook('onRequest', onRequest, event)
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
      await callHook('onResponse', onResponse, { ...event, durationMs, response, error })
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
        return withResponse(await readResponse(response, request.form), info)
      },
    })
  }
}

async function readResponse(response: FetchResponse, form: ResponseForm): Promise<Record<string, unknown>> {
  const body = parseJson(await readText(response))
  if (response.ok && hasForm(body, form)) return body
  const { status } = response
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
  if (response.ok || !isErrorEnvelope(body)) {
    const message = `The response (HTTP ${status}) is not the service's to this request. Is baseUrl right?`
    throw new ServiceConnectionError('invalid_response', message, { status, retryAfterSeconds })
  }
  const { error, requestId } = body
  const message = typeof body.message === 'string' ? body.message : undefined
  const details = isRecord(body.details) ? body.details : undefined
  throw new AgeVerificationError({ code: error, message, details, status, requestId, retryAfterSeconds })
}

interface ErrorEnvelope {
  error: ErrorCode
  message?: unknown
  details?: unknown
  requestId: string
}

function isErrorEnvelope(body: unknown): body is ErrorEnvelope {
  return isRecord(body) && typeof body.error === 'string' && typeof body.requestId === 'string'
}
