import type { IncomingMessage } from 'node:http'
import { partsMax } from '#rest/read-body.ts'

/**
 * Drops what follows a thousand parts of a body, and stops reading from its connection: a part of one byte takes hundreds of
 * bytes of memory, also while nobody reads it. Who reads so many rejects the body, so none is taken for complete.
 */
export function boundParts(request: IncomingMessage): void {
  const push = request.push.bind(request)
  let parts = 0
  request.push = (part, encoding) => {
    if (part !== null) parts += 1
    return parts > partsMax && part !== null ? false : push(part, encoding)
  }
}
