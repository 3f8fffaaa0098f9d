import { ServiceConnectionError } from '../errors.ts'
import { type Fetch, fetchWithin } from '../fetch-within.ts'

export interface DocumentOptions {
  fetch: Fetch
  timeoutMs: number
}

export interface PublishedDocument {
  text: string
  /** How long it may be cached; undefined if the response doesn't say. */
  maxAgeSeconds: number | undefined
}

/** Reads a public document. Throws a `ServiceConnectionError`. */
export function fetchDocument(
  url: string,
  mediaType: string,
  { fetch, timeoutMs }: DocumentOptions,
): Promise<PublishedDocument> {
  const init = { method: 'GET', headers: { accept: mediaType } }
  const read = async (response: Response) => {
    const text = await response.text()
    if (!response.ok) throw unusable(url, `HTTP ${response.status}`, response.status)
    return { text, maxAgeSeconds: maxAgeSeconds(response.headers) }
  }
  return fetchWithin(url, { fetch, init, timeoutMs, read })
}

function maxAgeSeconds(headers: Headers): number | undefined {
  const seconds = /(?:^|[\s,])max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** A document that can't be used, so that nothing can be decided. */
export function unusable(url: string, reason: string, status?: number): ServiceConnectionError {
  const options = status === undefined ? {} : { status }
  return new ServiceConnectionError('invalid_response', `${url} cannot be used: ${reason}`, options)
}
