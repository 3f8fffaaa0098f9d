import { boolean, timestamp } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { listLeases } from '../lease/list-leases.ts'
import { failingTasks, hangingTasks, isWorkerRunning, workerSeenAt } from '../lease/worker-lease.policy.ts'
import { countWaiting, type Waiting } from '../webhook/count-waiting.ts'

/** What the database shows of the workers of all machines. */
export interface InspectedWorkers extends Waiting {
  isRunning: boolean
  /** When one was last seen; undefined if none was started, or all have stopped. */
  seenAt: Date | undefined
  failingTasks: string[]
  hangingTasks: string[]
  /** Whether a delivery is in flight: then what waits does so for its receiver, or for its turn. */
  isSending: boolean
}

interface WorkersInspection {
  /** The names of the tasks that workers have. */
  tasks: readonly string[]
  now: Date
}

/** Throws `DATABASE_ERROR`. */
export async function inspectWorkers(
  pool: StatementPool,
  { tasks, now }: WorkersInspection,
): Promise<InspectedWorkers> {
  const leases = await listLeases(pool, {})
  const [sending] = await findInFlight(pool, { now })
  return {
    isRunning: isWorkerRunning(leases, now),
    seenAt: workerSeenAt(leases),
    failingTasks: failingTasks(leases, now),
    hangingTasks: hangingTasks(leases, tasks, now),
    isSending: sending!.isSending,
    ...(await countWaiting(pool, now)),
  }
}

/** Those of a worker that is gone are past the end of their lease. */
export const findInFlight = statement({
  name: 'find-in-flight',
  text: `select exists (select from delivery where state = 'in_flight' and due_at > :now) as "isSending"`,
  values: { now: timestamp },
  row: { isSending: boolean },
})
