import { AgeVerificationError, ServiceConnectionError } from './errors.ts'
import { msMax } from './options.ts'

/** What the client sends; every `fetch` takes it. */
export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  redirect?: 'manual'
  /** Where the runtime knows it. */
  cache?: 'no-store'
  signal: AbortSignal
}

/** What the client reads of a response. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** A `ReadableStream` of bytes, of which no more than 1 MiB is read, if there is one. */
  readonly body?: unknown
  text(): Promise<string>
}

/** The runtime's `fetch`, that of undici or node-fetch, or one of yours around them. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** The runtime's own, looked up at each call, because some runtimes reject a `fetch` that is called as a method. */
export const runtimeFetch: Fetch = (url, init) => globalThis.fetch(url, init)

interface FetchOptions<Result> {
  fetch: Fetch
  init: Omit<FetchInit, 'signal' | 'cache'>
  /** From the request to the end of the response's body. */
  timeoutMs: number
  signal?: AbortSignal | undefined
  read(response: FetchResponse): Promise<Result>
}

/**
 * Sends a request and reads its response within the timeout. Throws the signal's reason if it was aborted, the errors
 * of `read`, and a `ServiceConnectionError` for everything else.
 */
export async function fetchWithin<Result>(url: string, options: FetchOptions<Result>): Promise<Result> {
  const { fetch, init, timeoutMs, signal, read } = options
  signal?.throwIfAborted()
  // Unlike `AbortSignal.any`, it leaves nothing behind on a long-lived signal.
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let isOver = false
  const timer = setTimeout(
    () => {
      isOver = true
      controller.abort()
    },
    Math.min(timeoutMs, msMax),
  )
  try {
    return await read(await fetch(url, { ...init, ...uncached(), signal: controller.signal }))
  } catch (error) {
    if (error instanceof AgeVerificationError || error instanceof ServiceConnectionError) throw error
    if (isOver)
      throw new ServiceConnectionError('timeout', `No response within ${timeoutMs} ms.`, { cause: error })
    signal?.throwIfAborted()
    throw new ServiceConnectionError('network', 'The service could not be reached.', { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/**
 * A framework's cache, such as that of Next.js before 15, keeps responses whatever they say, so that whoever is revoked would stay
 * admitted. Runtimes that don't know the option, such as older ones of Workers, throw on it.
 */
function uncached(): Pick<FetchInit, 'cache'> {
  return typeof Request === 'function' && 'cache' in Request.prototype ? { cache: 'no-store' } : {}
}
