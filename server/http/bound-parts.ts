import { IncomingMessage } from 'node:http'
import { stopParsing } from './stop-parsing.ts'

/** How many parts of a body are too many: each costs memory and time, however few bytes it has. */
const partsMax = 1_000

/**
 * The class of requests that end at the part of their body that is one too many, whether or not anybody reads it, also after the
 * response.
 */
export function boundParts(end: (request: IncomingMessage) => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #parts = 0

    override push(part: unknown, encoding?: BufferEncoding): boolean {
      if (part !== null) this.#parts += 1
      if (this.#parts <= partsMax) return super.push(part, encoding)
      stopParsing(this.socket)
      end(this)
      return false
    }

    /** With Node's own, what follows the response would be parsed past `push`, as much as the client sends. */
    _dump(): void {
      this.removeAllListeners('data').resume()
    }
  }
}
