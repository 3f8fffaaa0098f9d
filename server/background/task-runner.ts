import { failureLease } from '#domain/lease/worker-lease.policy.ts'
import type { WorkKind } from '#domain/ports.ts'
import type { DomainLog, Scope } from '#domain/scope.ts'
import { createFailureLog, type FailureLog } from './failure-log.ts'
import type { Task } from './tasks.ts'
import { WakeSignal } from './wake-signal.ts'
import type { WorkerLeases } from './worker-leases.ts'

/** How long a task waits after a failure. */
const retryMs = 5_000

/** A batch that polls the provider may take its timeout, 10 s, which exceeds the shutdown deadline. */
const drainMsMax = 7_000

/** A task's lease outlasts its interval by this, so that its owner keeps it also when a run takes long. */
const leaseMarginMs = 15_000

/** The longest random delay with which other workers notice that a lease has expired. */
const jitterMs = 5_000

export type TaskRunner = ReturnType<typeof runTasks>

interface TaskRunnerOptions {
  tasks: readonly Task[]
  leases: WorkerLeases
  scopeFor: () => Scope
  log: DomainLog
  drainMs?: number
  /** Called after each run; it must not throw. */
  onRun?: (run: TaskRun) => void
}

export interface TaskRun {
  task: string
  /** `failure` also if the database was not available for looking whose turn it is. */
  result: 'success' | 'failure'
  durationMs: number
}

interface TaskLoop {
  task: Task
  // One per task instead of a shared promise: reactions to a promise that never settles are never collected.
  signal: WakeSignal
  isOwner: boolean
  /** Whether this worker alone was notified of work, so that it runs the task whoever owns the lease. */
  isNotified: boolean
  failures: FailureLog
}

/**
 * Runs each task in a separate loop: batch after batch while rows are due, then it waits. Of several workers the owner
 * of a task's lease runs it; the others only look whether the lease has expired, and run a shared task then too.
 */
export function runTasks(options: TaskRunnerOptions) {
  const { tasks, leases, scopeFor, log, drainMs = drainMsMax, onRun = () => {} } = options
  const stop = new AbortController()
  const loops = tasks.map(
    (task): TaskLoop => ({
      task,
      signal: new WakeSignal(),
      isOwner: false,
      isNotified: false,
      failures: createFailureLog(log, task.name),
    }),
  )

  /** Runs one batch if it's this worker's turn. Returns how long to wait, in milliseconds; undefined: more is due. */
  async function runOnce(loop: TaskLoop): Promise<number | undefined> {
    const { task, isNotified } = loop
    loop.isNotified = false
    const scope = scopeFor()
    const { isOwn, expiresAt } = await leases.acquire(task.name, task.intervalMs + leaseMarginMs)
    loop.isOwner = isOwn
    const isTurn = isOwn || isNotified || task.isShared === true
    if (isTurn) {
      const startedAt = performance.now()
      const due = await run(loop, scope)
      onRun({ task: task.name, result: 'success', durationMs: performance.now() - startedAt })
      if (due > 0) return undefined
    }
    if (isOwn) return task.intervalMs
    return Math.max(0, expiresAt.getTime() - scope.now.getTime()) + jitterMs * Math.random()
  }

  /** A task that fails again and again says so in the database, too, for the doctor. */
  async function run({ task, failures }: TaskLoop, scope: Scope): Promise<number> {
    try {
      return await task.run(scope)
    } catch (error) {
      const { name, durationMs } = failureLease(task.name)
      if (failures.isFailing()) await leases.acquire(name, durationMs).catch(() => undefined)
      throw error
    }
  }

  async function repeat(loop: TaskLoop): Promise<void> {
    const { task, signal } = loop
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      try {
        const waitMs = await runOnce(loop)
        loop.failures.succeeded()
        if (waitMs !== undefined) await signal.wait(waitMs)
      } catch (error) {
        onRun({ task: task.name, result: 'failure', durationMs: performance.now() - startedAt })
        loop.failures.failed(error)
        await signal.wait(retryMs)
      }
    }
  }

  const running = loops.map(repeat)
  return {
    /**
     * Ends the wait of the tasks that this kind of work wakes, which this worker then runs; without an argument, of every
     * task, to be run by its owner.
     */
    wake(work?: WorkKind): void {
      for (const loop of loops) {
        if (work !== undefined && loop.task.wokenBy !== work) continue
        loop.isNotified ||= work !== undefined
        loop.signal.wake()
      }
    },
    /** Resolves when the batches in progress are done, or after 7 s; the leases of unfinished ones then expire. */
    async close(): Promise<void> {
      stop.abort()
      for (const { signal } of loops) signal.wake()
      const drained = new WakeSignal()
      void Promise.all(running).then(drained.wake)
      await drained.wait(drainMs)
    },
  }
}
