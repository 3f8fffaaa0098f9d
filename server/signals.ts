import type { ProcessEnd } from './process-end.ts'

/**
 * Ends the process in order on SIGINT and SIGTERM; a second signal changes nothing, because Ctrl-C reaches the
 * process twice when npm passes it on.
 */
export function endOnSignal(end: ProcessEnd): void {
  process.on('SIGINT', end.begin)
  process.on('SIGTERM', end.begin)
}
