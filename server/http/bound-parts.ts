import type { IncomingMessage } from 'node:http'
import { stopParsing } from './stop-parsing.ts'

/** How many parts of a body are too many: each costs memory and time, however few bytes it has. */
const partsMax = 1_000

/** Ends a request at the part of its body that is one too many, whether or not anybody reads it, also after its response. */
export function boundParts(request: IncomingMessage, end: () => void): void {
  const push = request.push.bind(request)
  let parts = 0
  request.push = (part, encoding) => {
    if (part !== null) parts += 1
    if (parts <= partsMax) return push(part, encoding)
    stopParsing(request.socket)
    end()
    return false
  }
  // With Node's own, what follows the response would be parsed past `push`, as much as the client sends.
  Object.assign(request, { _dump: () => request.removeAllListeners('data').resume() })
}
