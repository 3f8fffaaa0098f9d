/** Logs as many lines as a message of its parent says, and replies how many lines were dropped so far. */
import { createLog } from '#server/logging/log.ts'
import { standardOutput } from '#server/logging/standard-output.ts'

// As without the development dependencies, at a terminal too.
const log = createLog('trace', standardOutput)
let count = 0

process.on('message', ({ lines, thenExits }: { lines: number; thenExits?: boolean }) => {
  const startedAt = performance.now()
  for (let line = 0; line < lines; line++) log.info({ line: count++ }, 'x'.repeat(200))
  const tookMs = performance.now() - startedAt
  if (thenExits) process.exit(1)
  process.send!({ tookMs, dropped: standardOutput.dropped() })
})
process.send!('started')
