import type { Log } from '../logging/log.ts'

/** Of the requests of strangers, in the access log of a process. */
const linesPerSecondMax = 50

/**
 * Returns whether the line of a request without a tenant may be written: a bounded number a second, so that nobody fills a
 * disk. Those that are left out are said once a second.
 */
export function createLineBudget(log: Log): () => boolean {
  let lines = 0
  const report = () => {
    const leftOut = Math.max(0, lines - linesPerSecondMax)
    lines = 0
    if (leftOut > 0) log.warn({ leftOut }, 'Requests without a tenant were left out of the log')
  }
  return () => {
    if (lines === 0) setTimeout(report, 1_000).unref()
    lines += 1
    return lines <= linesPerSecondMax
  }
}
