import { AgeVerificationClient, type FetchInit } from '#clients/typescript/src/index.ts'

interface SentRequest {
  url: string
  method: string | undefined
  headers: Headers
  body: unknown
  redirect: string | undefined
  cache: string | undefined
}

/** A response; no connection; or a connection on which nothing arrives until it is aborted. */
export type ScriptedResponse =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | 'unreachable'
  | 'hang'

export const baseUrl = 'https://verify.example'
export const apiKey = 'avk_not-a-key'

/** A client that gets one response after the other; the last one again and again. */
export function clientWith(...responses: [ScriptedResponse, ...ScriptedResponse[]]) {
  const requests: SentRequest[] = []
  async function fetch(url: string, { method, headers, body, redirect, cache, signal }: FetchInit) {
    requests.push({ url, method, headers: new Headers(headers), body, redirect, cache })
    return await respondWith(responses[Math.min(requests.length, responses.length) - 1]!, signal)
  }
  const options = { baseUrl, apiKey, fetch, retries: { delayMs: 1 } }
  return { client: new AgeVerificationClient(options), requests, options }
}

export async function respondWith(
  scripted: ScriptedResponse,
  signal?: AbortSignal | null,
): Promise<Response> {
  signal?.throwIfAborted()
  if (scripted === 'unreachable') throw new TypeError('fetch failed')
  if (scripted === 'hang') {
    return await new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }
  const { status, json, text = JSON.stringify(json), headers = {} } = scripted
  return new Response(text, { status, headers })
}

/** The service's envelope of an error. */
export function errorResponse(
  status: number,
  error: string,
  more: { details?: object; retryAfter?: number } = {},
) {
  const { details, retryAfter } = more
  return {
    status,
    json: {
      error,
      message: 'A message.',
      ...(details && { details }),
      requestId: 'a8098c1a-f86e-41da-bd1a-00112444be1e',
    },
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  }
}

/** A status of the verification `v`. */
export function statusResponse(status: string, fields: object = {}) {
  const json = {
    verificationId: 'v',
    status,
    confidence: null,
    createdAt: '2026-01-31T12:00:00.000Z',
    completedAt: null,
    ...fields,
  }
  return { status: 200, json }
}

export const completedFields = { confidence: 1, over18: true, completedAt: '2026-01-31T12:05:00.000Z' }

/** The promise's error. Throws if it is fulfilled. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome) return outcome.error
  throw new Error(`Fulfilled with ${JSON.stringify(outcome.value)}`)
}
