/** What systemd tells a service about itself: systemd.exec(5), sd_notify(3) and sd_watchdog_enabled(3). */
export function systemdVariables() {
  const { JOURNAL_STREAM, NOTIFY_SOCKET, WATCHDOG_PID, WATCHDOG_USEC } = process.env
  const isWatched = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid)
  return {
    /** Device and inode of the journal's socket, which a stream can have been redirected from. */
    journalStream: JOURNAL_STREAM,
    /** Whether it waits for a message that the service is ready. */
    awaitsReady: Boolean(NOTIFY_SOCKET),
    /** The time without a message after which it restarts this process; undefined if it expects none. */
    watchdogMs: WATCHDOG_USEC && isWatched ? Number(WATCHDOG_USEC) / 1_000 : undefined,
  }
}
