import type { WorkKind } from '#domain/ports.ts'
import type { DomainLog, Scope } from '#domain/scope.ts'
import { atEarlierClock } from '#domain/worker/both-clocks.ts'
import { recordTaskRun } from '#domain/worker/task-runs.ts'
import { recordEveryMs } from '#domain/worker/worker-state.policy.ts'
import { createFailureLog } from './failure-log.ts'
import type { TaskLock } from './task-lock.ts'
import type { Task } from './tasks.ts'
import { WakeSignal } from './wake-signal.ts'

/** How long a task waits after a failure. */
const retryMs = 5_000

/** A batch that polls the provider may take its timeout, 10 s, which exceeds the shutdown deadline. */
const drainMsMax = 7_000

/** The share by which a wait is longer or shorter, so that workers that were started together don't stay in step. */
const jitter = 0.1

interface TaskRunnerOptions {
  tasks: readonly Task[]
  lock: TaskLock
  scopeFor: () => Scope
  log: DomainLog
  drainMs?: number
  /** Called after each run; it must not throw. */
  onRun?: (run: TaskRun) => void
}

export interface TaskRun {
  task: string
  /** `failure` also if the database was not available for the lock. */
  result: 'success' | 'failure'
  durationMs: number
}

interface TaskLoop {
  task: Task
  // One per task instead of a shared promise: reactions to a promise that never settles are never collected.
  signal: WakeSignal
}

/**
 * Runs each task in a separate loop: batch after batch while rows are due, then it waits. Of several workers one at a time
 * runs a task, but a shared one, which each runs.
 */
export function runTasks(options: TaskRunnerOptions) {
  const { tasks, lock, scopeFor, log, drainMs = drainMsMax, onRun = () => {} } = options
  const stop = new AbortController()
  const loops = tasks.map((task): TaskLoop => ({ task, signal: new WakeSignal() }))

  async function repeat({ task, signal }: TaskLoop): Promise<void> {
    const failures = createFailureLog(log, task.name)
    const run = createRun(task)
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      const report = (result: TaskRun['result']) =>
        onRun({ task: task.name, result, durationMs: performance.now() - startedAt })
      try {
        const due = await run()
        if (due !== undefined) report('success')
        failures.succeeded()
        if (!due) await signal.wait(task.intervalMs * (1 - jitter * Math.random()))
      } catch (error) {
        report('failure')
        failures.failed(error)
        await signal.wait(retryMs)
      }
    }
  }

  /** Returns the function that runs one batch, and returns how many rows there were; undefined if another worker is at it. */
  function createRun(task: Task): () => Promise<number | undefined> {
    let recordedAt = Number.NEGATIVE_INFINITY
    async function run(): Promise<number | undefined> {
      if (stop.signal.aborted) return undefined
      const scope = task.usesOwnClock ? scopeFor() : await atEarlierClock(scopeFor())
      const due = await task.run(scope)
      if (!task.usesOwnClock && due > 0) log.info({ task: task.name, count: due }, 'Deleted what was too old')
      if (performance.now() - recordedAt >= recordEveryMs) {
        await recordTaskRun(scope.pool, { task: task.name, now: scope.now })
        recordedAt = performance.now()
      }
      return due
    }
    return task.isShared ? run : () => lock(task.name, run)
  }

  const running = loops.map(repeat)
  return {
    /** Ends the wait of the tasks that this kind of work wakes; without an argument, of every task. */
    wake(work?: WorkKind): void {
      for (const { task, signal } of loops) if (work === undefined || task.wokenBy === work) signal.wake()
    },
    /** Resolves when the batches in progress are done, or after 7 s. */
    async close(): Promise<void> {
      stop.abort()
      for (const { signal } of loops) signal.wake()
      const drained = new WakeSignal()
      void Promise.all(running).then(drained.wake)
      await drained.wait(drainMs)
    },
  }
}
