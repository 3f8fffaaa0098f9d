import { createLog } from '../logging/log.ts'

/** The deadline for a graceful shutdown, after the delay; the process then exits with code 1. */
const shutdownMsMax = 9_500

/**
 * Prepares the graceful shutdown of this process, which ends with exit code 0. An uncaught exception or unhandled
 * rejection is logged and starts it too, with exit code 1: the process cannot continue, because the state that the
 * error left behind is unknown, and must not stop immediately, because other requests are in flight.
 */
export function prepareShutdown() {
  let close: (() => Promise<void>) | undefined
  let deadlineMs = shutdownMsMax
  let hasBegun = false
  let exitCode = 0
  async function closeAndExit(close: () => Promise<void>): Promise<void> {
    setTimeout(() => process.exit(1), deadlineMs).unref()
    try {
      await close()
      process.exit(exitCode)
    } catch (error) {
      logFatal(error, 'Graceful shutdown failed')
      process.exit(1)
    }
  }
  /** Starts the shutdown; further calls have no effect. */
  function begin(): void {
    if (hasBegun) return
    hasBegun = true
    // Nothing is in flight before the service is up; an embedded PostgreSQL ends with the process.
    if (!close) process.exit(exitCode)
    void closeAndExit(close)
  }
  // Node emits it for unhandled rejections too.
  process.on('uncaughtException', error => {
    exitCode = 1
    logFatal(error, 'Uncaught exception; shutting down')
    begin()
  })
  return {
    begin,
    /**
     * Marks the process as started: from now on a shutdown calls `closeService` before the process exits. `delayMs` is how
     * long that goes on serving requests.
     */
    ready(closeService: () => Promise<void>, delayMs: number): void {
      close = closeService
      deadlineMs = delayMs + shutdownMsMax
    },
  }
}

/** Uses a separate logger: the failure may have affected the service's own. */
function logFatal(error: unknown, message: string): void {
  createLog('fatal').fatal({ err: error }, message)
}
