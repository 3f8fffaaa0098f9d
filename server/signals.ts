/** All must have ended by then; what has not is ended with the process. */
const endMsMax = 9_500

/**
 * Ends the process in order on SIGINT and SIGTERM; a second signal changes nothing, because Ctrl-C reaches the
 * process twice when npm passes it on.
 */
export function closeOnSignal() {
  let close: (() => Promise<void>) | undefined
  let asked = false
  async function end(closeAll: () => Promise<void>): Promise<void> {
    setTimeout(() => process.exit(1), endMsMax).unref()
    try {
      await closeAll()
      process.exit(0)
    } catch (error) {
      console.error('The service could not be closed in order:', error)
      process.exit(1)
    }
  }
  function onSignal(): void {
    if (asked) return
    asked = true
    // Before the service is up nobody waits for anything; an embedded PostgreSQL ends with the process.
    if (!close) process.exit(0)
    void end(close)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    /** The service is up: from now on a signal closes it. */
    ready(closeAll: () => Promise<void>): void {
      close = closeAll
    },
  }
}
