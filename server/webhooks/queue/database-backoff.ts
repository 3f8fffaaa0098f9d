import type { WorkerLog } from './delivery-log.ts'

/** Exponential backoff while the database is unavailable. Logs once when it starts and once when it ends. */
export interface DatabaseBackoff {
  /** Returns the delay before the next try, in milliseconds. */
  failed(error: unknown): number
  succeeded(): void
}

const initialDelayMs = 100
const delayMsMax = 2_000

/** `operation` names in the log what is being retried. */
export function createDatabaseBackoff(log: WorkerLog, operation: string): DatabaseBackoff {
  let delayMs = 0
  return {
    failed(error) {
      if (delayMs === 0) log.error({ err: error, operation }, 'Database unavailable; backing off')
      delayMs = Math.min(delayMsMax, Math.max(initialDelayMs, delayMs * 2))
      return delayMs
    },
    succeeded() {
      if (delayMs > 0) log.info({ operation }, 'Database available again')
      delayMs = 0
    },
  }
}
