import { EventEmitter, on } from 'node:events'
import { createLog } from '#server/logging/log.ts'

type Line = Record<string, unknown>

/** The service's own log in memory, at level trace. */
export function captureLog() {
  const written: string[] = []
  const events = new EventEmitter()
  const log = createLog('trace', {
    write(line) {
      written.push(line)
      events.emit('line')
    },
  })
  const lines = () => written.map(line => JSON.parse(line) as Line)
  return {
    log,
    lines,
    /** The whole log as text. */
    text: () => written.join(''),
    /** The lines of a request, once its last line has been written. */
    async linesOf(requestId: string | null): Promise<Line[]> {
      const ofRequest = () => lines().filter(line => line.requestId === requestId)
      const isWhole = () => ofRequest().some(({ msg }) => msg === 'request')
      if (!isWhole()) for await (const _ of on(events, 'line')) if (isWhole()) break
      return ofRequest()
    },
  }
}
