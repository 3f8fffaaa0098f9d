import type { Duplex } from 'node:stream'

interface Parser {
  onIncoming?: (() => number) | null
  [kOnBody]?: unknown
}

/** What Node's parser calls with each part of a body, of which it makes a buffer. */
const kOnBody = 3

/**
 * Makes nothing any more of what was read of a connection that is being closed: Node would go on with the 64 KiB that it reads
 * at once, in which there may be thousands of requests or parts of a body, and hold up everybody. `parser` is Node's own:
 * without it, the rest is parsed for nothing.
 */
export function stopParsing({ parser }: Duplex & { parser?: Parser | null }): void {
  const onBody = parser?.[kOnBody]
  if (!parser || !onBody) return
  // As after a request to upgrade.
  parser.onIncoming = () => 2
  parser[kOnBody] = undefined
  // Another connection gets the parser when this one is closed, which is later.
  setImmediate(() => {
    parser[kOnBody] = onBody
  })
}
