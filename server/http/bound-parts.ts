import type { IncomingMessage, ServerResponse } from 'node:http'
import { partsMax } from '#rest/read-body.ts'

/**
 * Drops what follows a thousand parts of a body, and ends its connection with the response: a part of one byte takes hundreds of
 * bytes of memory, also while nobody reads it. Who reads so many rejects the body, so none is taken for complete.
 */
export function boundParts(request: IncomingMessage, response: ServerResponse): void {
  const push = request.push.bind(request)
  let parts = 0
  request.push = (part, encoding) => {
    if (part !== null) parts += 1
    if (part === null || parts <= partsMax) return push(part, encoding)
    response.shouldKeepAlive = false
    // What discards the rest would have the next parts parsed, of as much as the client sends.
    request._read = () => undefined
    if (response.writableFinished) request.destroy()
    return false
  }
}
