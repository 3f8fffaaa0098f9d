import { setTimeout as wait } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import { type InspectedWorkers, inspectWorkers } from '#domain/inspection/inspect-workers.ts'
import { tasks } from '#server/background/tasks.ts'
import { Fault } from './check.ts'
import { describeTime } from './describe-time.ts'

/** A fault is looked at twice: the first time, a worker may just be starting, or be between two claims. */
const secondLookMs = 2_000

/** How long a due event may wait while none is being sent. A worker notices it within a second. */
const overdueMsMax = 60_000

/** Throws a `Fault` if no worker runs, one only fails, or what it has to do is not done. */
export async function describeWorkers(
  pool: StatementPool,
  clock: () => Date,
  secondLookAfterMs = secondLookMs,
): Promise<string> {
  let state = await inspect(pool, clock())
  if (findFaults(state, clock()).length > 0) {
    await wait(secondLookAfterMs)
    state = await inspect(pool, clock())
  }
  const faults = findFaults(state, clock())
  if (faults.length > 0) throw new Fault(faults.join('; '))
  return `a worker runs; ${describeWaiting(state)}`
}

const inspect = (pool: StatementPool, now: Date) =>
  inspectWorkers(pool, { tasks: tasks.map(({ name }) => name), now })

function findFaults(state: InspectedWorkers, now: Date): string[] {
  const rows = Object.entries(state.defaultRows).filter(([, count]) => count > 0)
  return [
    ...(state.isRunning ? describeIdle(state) : [describeAbsence(state, now)]),
    ...state.failingTasks.map(
      task =>
        `the background task "${task}" fails: the log of its worker says why ("Background task failed")`,
    ),
    ...(state.isRunning ? state.hangingTasks : []).map(
      task => `the background task "${task}" has not come to an end for minutes: restart the worker`,
    ),
    ...rows.map(
      ([table, count]) =>
        `${table} has ${count} rows of months without a partition, which a worker creates within a minute: if it does not, its log says why`,
    ),
  ]
}

function describeAbsence(state: InspectedWorkers, now: Date): string {
  const { seenAt } = state
  const advice =
    seenAt === undefined
      ? 'no worker runs: start a process with ROLE=worker or ROLE=all'
      : `no worker has done anything for ${describeTime((now.getTime() - seenAt.getTime()) / 1_000)}: its process is frozen or killed, or cannot reach PostgreSQL. See the end of its log, and restart it`
  return `${advice}. Until then no event is sent, and nothing is polled or cleaned up; ${describeWaiting(state)}`
}

/** A worker that runs but sends nothing. What waits for a slow receiver, or for its turn, is no fault of the worker's. */
function describeIdle(state: InspectedWorkers): string[] {
  if (state.isSending || state.overdueMs <= overdueMsMax) return []
  return [`the worker sends nothing although ${describeWaiting(state)}: see its log, and restart it`]
}

function describeWaiting({ waiting, overdueMs }: InspectedWorkers): string {
  if (waiting === 0) return 'no event waits'
  const events = waiting === 1 ? '1 event waits' : `${waiting} events wait`
  if (overdueMs === 0) return `${events} for a retry`
  const oldest = `${events}, the oldest for ${describeTime(overdueMs / 1_000)} since it was due`
  return overdueMs > overdueMsMax ? `${oldest} (operator delivery stats says whose)` : oldest
}
