import { setTimeout as wait } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import { tasks } from '#server/background/tasks.ts'
import { type InspectedWorkers, inspectWorkers } from '../queries/inspect-workers.ts'
import { Fault } from './check.ts'
import { describeTime } from './describe-time.ts'

/** A fault is looked at twice: the first time, a worker may just be starting, or be between two claims. */
const secondLookMs = 2_000

/** How long a due event may wait while none is being sent. A worker notices it within a second. */
const overdueMsMax = 60_000

/** Throws a `Fault` if no worker runs, or what it has to do is not done. */
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

const inspect = (pool: StatementPool, now: Date) => inspectWorkers(pool, { tasks, now })

function findFaults(state: InspectedWorkers, now: Date): string[] {
  return [
    ...(state.isRunning ? describeIdle(state) : [describeAbsence(state, now)]),
    ...describeLate(state.lateTasks),
  ]
}

function describeLate(late: readonly string[]): string[] {
  if (late.length === 0) return []
  const names = late.map(task => `"${task}"`).join(', ')
  return [
    `no run of ${names} has succeeded for minutes: the log of the worker says why ("Background task failed"); if it doesn't, restart the worker`,
  ]
}

/** How much a worker's clock may differ from PostgreSQL's before it is taken for one that is gone. */
const aheadSecondsMax = 30

function describeAbsence(state: InspectedWorkers, now: Date): string {
  const { aheadSeconds = 0 } = state
  if (Math.abs(aheadSeconds) > aheadSecondsMax) {
    const direction = aheadSeconds > 0 ? 'ahead of' : 'behind'
    return `a worker runs, but its clock is ${describeTime(Math.abs(aheadSeconds))} ${direction} PostgreSQL's: correct it`
  }
  return `${describeLast(state, now)}. Until then no event is sent, and nothing is polled or cleaned up; ${describeWaiting(state)}`
}

function describeLast({ seenAt }: InspectedWorkers, now: Date): string {
  if (!seenAt) return 'no worker runs: start a process with ROLE=worker or ROLE=all'
  if (seenAt > now) return 'the last worker was here in the future: correct the clocks, and restart it'
  const since = describeTime((now.getTime() - seenAt.getTime()) / 1_000)
  return `no worker has done anything for ${since}: it was stopped or killed, is frozen, or cannot use PostgreSQL. Fix what else is at fault first; then see the end of its log, and start it again`
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
