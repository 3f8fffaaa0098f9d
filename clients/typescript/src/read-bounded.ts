import { ServiceConnectionError } from './errors.ts'
import type { FetchResponse } from './fetch-within.ts'
import { decodeUtf8 } from './json.ts'

/** 1 MiB: a response of the API has at most 64 KiB, a status list 30 KiB, and 16 KiB once it is inflated. */
const bytesMax = 2 ** 20

/** The body of a response in UTF-8; empty if it is not UTF-8. Throws a `ServiceConnectionError` if it is too long. */
export async function readText(response: FetchResponse): Promise<string> {
  const { body, status } = response
  // A response that a test has made, or one of node-fetch, has no stream of the Web.
  const bytes = isWebStream(body) ? await readBytes(body) : new TextEncoder().encode(await response.text())
  if (bytes && bytes.length <= bytesMax) return decodeUtf8(bytes)?.replace(/^\ufeff/, '') ?? ''
  const message = `The response (HTTP ${status}) has more than ${bytesMax} bytes. Is baseUrl right?`
  throw new ServiceConnectionError('invalid_response', message, { status })
}

/** Reads a stream to its end; undefined, without reading further, if it has more than 1 MiB. */
export async function readBytes(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let length = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    length += value.length
    if (length > bytesMax) break
    chunks.push(value)
  }
  // Nobody waits for the end of what is left.
  reader.cancel().catch(() => {})
  return undefined
}

function isWebStream(body: unknown): body is ReadableStream<Uint8Array<ArrayBuffer>> {
  return typeof body === 'object' && body !== null && 'getReader' in body
}
