import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface RawResponse {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends the path as given, without normalisation, and returns the body without decompression. */
export function rawGet(url: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  const [, origin = '', path] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? []
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, async response => {
      const { statusCode: status, headers } = response
      resolve({ status, headers, body: await buffer(response) })
    })
      .once('error', reject)
      .end()
  })
}
