import { createLog } from './log.ts'

/** All must have ended by then; what has not is ended with the process. */
const endMsMax = 9_500

export interface ProcessEnd {
  /** The service is up: from now on the end closes it first. */
  ready(closeAll: () => Promise<void>): void
  /** Ends the process in order; asking again changes nothing. */
  begin(): void
}

/**
 * The one end of the process, with exit code 0. It is also the last line of defence: a fault that was caught nowhere,
 * in a promise or not, is logged and begins the end, with exit code 1. The process must not go on, because what it was
 * in the middle of can't be known, nor stop dead, because other requests are in flight.
 */
export function prepareProcessEnd(): ProcessEnd {
  let close: (() => Promise<void>) | undefined
  let begun = false
  let exitCode = 0
  async function end(closeAll: () => Promise<void>): Promise<void> {
    setTimeout(() => process.exit(1), endMsMax).unref()
    try {
      await closeAll()
      process.exit(exitCode)
    } catch (error) {
      tell(error, 'The service could not be closed in order')
      process.exit(1)
    }
  }
  function begin(): void {
    if (begun) return
    begun = true
    // Before the service is up nobody waits for anything; an embedded PostgreSQL ends with the process.
    if (!close) process.exit(exitCode)
    void end(close)
  }
  // Node hands it the rejections that nobody handles, too.
  process.on('uncaughtException', fault => {
    exitCode = 1
    tell(fault, 'A fault was caught nowhere; the process ends')
    begin()
  })
  return {
    begin,
    ready(closeAll) {
      close = closeAll
    },
  }
}

/** By a log of its own: whatever failed may have taken the service's along. */
function tell(fault: unknown, message: string): void {
  createLog('fatal').fatal({ err: fault }, message)
}
