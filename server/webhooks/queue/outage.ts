import type { WorkerLog } from './worker-log.ts'

/** A time without the database: said once when it begins and once when it ends. */
export interface Outage {
  /** Answers how long to wait before the next try, in milliseconds. */
  failed(error: unknown): number
  ended(): void
}

const firstDelayMs = 100
const longestDelayMs = 2_000

/** One for each of the worker's statements, named by what can't be done without the database. */
export function createOutage(log: WorkerLog, work: string): Outage {
  let delayMs = 0
  return {
    failed(error) {
      if (delayMs === 0) log.error({ err: error, work }, 'The deliveries in the database are out of reach')
      delayMs = Math.min(longestDelayMs, Math.max(firstDelayMs, delayMs * 2))
      return delayMs
    },
    ended() {
      if (delayMs > 0) log.info({ work }, 'The deliveries in the database are within reach again')
      delayMs = 0
    },
  }
}
