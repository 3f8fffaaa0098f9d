import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import { listTaskRuns } from '#domain/worker/task-runs.ts'
import { isWorkerRunning } from '#domain/worker/worker-state.policy.ts'
import { watchDependency } from '../http/watch-dependency.ts'

const checkEveryMs = 10_000

/** Looks every ten seconds whether any worker of the installation runs. */
export function watchWorkers(pool: StatementPool, clock: Clock) {
  return watchDependency(async () => {
    try {
      return isWorkerRunning(await listTaskRuns(pool, {}), clock()) ? 'up' : 'down'
    } catch {
      // The database is away, which readiness reports.
      return undefined
    }
  }, checkEveryMs)
}
