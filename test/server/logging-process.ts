/** Logs as many lines as a message of its parent says, and replies. */
import { createLog } from '#server/logging/log.ts'
import { standardOutput } from '#server/logging/standard-output.ts'

// As without the development dependencies, at a terminal too.
const log = createLog('trace', standardOutput())
let count = 0

process.on('message', ({ lines, thenExits }: { lines: number; thenExits?: boolean }) => {
  for (let line = 0; line < lines; line++) log.info({ line: count++ }, 'x'.repeat(200))
  if (thenExits) process.exit(1)
  process.send!('logged')
})
process.send!('started')
