import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface RawAnswer {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A GET with the path exactly as it is written, and the body exactly as it comes. */
export function rawGet(url: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const [, origin = '', path] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? []
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, async answer => {
      const { statusCode: status, headers } = answer
      resolve({ status, headers, body: await buffer(answer) })
    })
      .once('error', reject)
      .end()
  })
}
