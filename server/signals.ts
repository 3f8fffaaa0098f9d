/** All must have ended by then; what has not is ended with the process. */
const endMsMax = 9_500

/**
 * Ends the process in order on SIGINT and SIGTERM, also while it is still starting; a second signal changes
 * nothing, because Ctrl-C reaches the process twice when npm passes it on.
 */
export function closeOnSignal() {
  let close: (() => Promise<void>) | undefined
  let asked = false
  async function end(): Promise<void> {
    try {
      await close?.()
      process.exit(0)
    } catch (error) {
      console.error('The service could not be closed in order:', error)
      process.exit(1)
    }
  }
  function onSignal(): void {
    if (asked) return
    asked = true
    setTimeout(() => process.exit(1), endMsMax).unref()
    if (close) void end()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    /** From now on a signal closes; one that has come already does so at once. */
    ready(closeAll: () => Promise<void>): void {
      close = closeAll
      if (asked) void end()
    },
  }
}
