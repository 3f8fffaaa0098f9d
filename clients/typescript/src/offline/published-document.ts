import { ServiceConnectionError } from '../errors.ts'
import { type Fetch, type FetchResponse, fetchWithin } from '../fetch-within.ts'
import { readText } from '../read-bounded.ts'

/** Reads a public document of the service, by its path. Throws a `ServiceConnectionError`. */
export type ReadDocument = (path: string, mediaType: string) => Promise<string>

export function documentReader(baseUrl: string, fetch: Fetch, timeoutMs: number): ReadDocument {
  async function read(response: FetchResponse): Promise<string> {
    const text = await readText(response)
    if (response.ok) return text
    const { status } = response
    throw new ServiceConnectionError('invalid_response', `The response is HTTP ${status}.`, { status })
  }
  return (path, accept) =>
    fetchWithin(baseUrl + path, { fetch, init: { method: 'GET', headers: { accept } }, timeoutMs, read })
}

/** A document that can't be used, so that nothing can be decided; the cause if it says so already. */
export function unusable(name: string, cause: unknown): ServiceConnectionError {
  if (cause instanceof ServiceConnectionError) return cause
  return new ServiceConnectionError('invalid_response', `${name} can't be used: ${cause}`, { cause })
}
