import type { IncomingMessage } from 'node:http'

/**
 * Whether a header was sent more than once, of which Node keeps the first. `headersDistinct` says it too, and costs more per
 * request than all of its other checks.
 */
export function isRepeated({ rawHeaders }: IncomingMessage, name: 'host' | 'content-type'): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count > 1
}
