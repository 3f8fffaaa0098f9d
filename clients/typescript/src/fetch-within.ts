import { startDeadline } from './deadline.ts'
import { AgeVerificationError, ServiceConnectionError } from './errors.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The runtime's own, looked up at each call, because some runtimes reject a `fetch` that is called as a method. */
export const runtimeFetch: Fetch = (url, init) => globalThis.fetch(url, init)

export interface FetchOptions<Result> {
  fetch: Fetch
  init: RequestInit
  /** From the request to the end of the response's body. */
  timeoutMs: number
  signal?: AbortSignal | undefined
  read(response: Response): Promise<Result>
}

/**
 * Sends a request and reads its response within the timeout. Throws the signal's reason if it was aborted, the errors
 * of `read`, and a `ServiceConnectionError` for everything else.
 */
export async function fetchWithin<Result>(url: string, options: FetchOptions<Result>): Promise<Result> {
  const { fetch, init, timeoutMs, signal, read } = options
  signal?.throwIfAborted()
  const deadline = startDeadline(timeoutMs, signal)
  try {
    return await read(await fetch(url, { ...init, signal: deadline.signal }))
  } catch (error) {
    if (error instanceof AgeVerificationError || error instanceof ServiceConnectionError) throw error
    if (deadline.isOver)
      throw new ServiceConnectionError('timeout', `No response within ${timeoutMs} ms.`, { cause: error })
    signal?.throwIfAborted()
    throw new ServiceConnectionError('network', 'The service could not be reached.', { cause: error })
  } finally {
    deadline.end()
  }
}
