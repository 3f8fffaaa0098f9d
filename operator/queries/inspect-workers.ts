import { boolean, double, timestamp } from '#domain/database/sql-types.ts'
import { type StatementPool, statement } from '#domain/database/statement.ts'
import { countWaiting, type Waiting } from '#domain/webhook/count-waiting.ts'
import { listTaskRuns } from '#domain/worker/task-runs.ts'
import { isWorkerRunning, lateTasks, workerSeenAt } from '#domain/worker/worker-state.policy.ts'

/** What the database shows of the workers of all machines. */
export interface InspectedWorkers extends Waiting {
  isRunning: boolean
  /** When one last did something; undefined if none was ever started. */
  seenAt: Date | undefined
  /** By how much the clock of the last one is ahead of PostgreSQL's; undefined if by that it did nothing for 40 s, either. */
  aheadSeconds: number | undefined
  /** Those that haven't succeeded for long, although a worker runs. */
  lateTasks: string[]
  /** Whether a delivery is in flight: then what waits does so for its receiver. */
  isSending: boolean
}

interface WorkersInspection {
  /** The tasks that workers have. */
  tasks: readonly { name: string; intervalMs: number }[]
  now: Date
}

/** Throws `DATABASE_ERROR`. */
export async function inspectWorkers(
  pool: StatementPool,
  { tasks, now }: WorkersInspection,
): Promise<InspectedWorkers> {
  const runs = await listTaskRuns(pool, {})
  const [sending] = await findInFlight(pool, { now })
  const [last] = await findLastRun(pool, {})
  const isRunning = isWorkerRunning(runs, now)
  return {
    isRunning,
    seenAt: workerSeenAt(runs),
    aheadSeconds: last?.aheadSeconds,
    lateTasks: isRunning ? lateTasks(runs, tasks, now) : [],
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

/** Whether a worker runs, whatever its clock and that of this process. */
export const findLastRun = statement({
  name: 'find-last-run',
  text: `select extract(epoch from updated_at - value::timestamptz)::float8 as "aheadSeconds" from service_setting
   where name like 'task: %' and value::timestamptz > clock_timestamp() - interval '40 s' order by value::timestamptz desc limit 1`,
  values: {},
  row: { aheadSeconds: double },
})
