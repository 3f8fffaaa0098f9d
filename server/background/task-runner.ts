import type { WorkKind } from '#domain/ports.ts'
import type { DomainLog, Scope } from '#domain/scope.ts'
import type { Task } from './tasks.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

/** How long a task waits after a failure. */
const retryMs = 5_000

/** A batch that polls the provider may take its timeout, 10 s, which exceeds the shutdown deadline. */
const drainMsMax = 7_000

export interface TaskRunner {
  /** Ends the wait of the tasks that this kind of work wakes; without an argument, of every task. */
  wake(work?: WorkKind): void
  /** Resolves when the batches in progress are done, or after 7 s; the leases of unfinished ones then expire. */
  close(): Promise<void>
}

/** Runs each task in a separate loop: batch after batch while rows are due, then it waits. */
export function runTasks(
  tasks: readonly Task[],
  scopeFor: () => Scope,
  log: DomainLog,
  drainMs = drainMsMax,
): TaskRunner {
  const stop = new AbortController()
  // One signal per task instead of a shared promise: reactions to a promise that never settles are never collected.
  const signals = tasks.map(() => createWakeSignal())
  async function repeat(task: Task, signal: WakeSignal): Promise<void> {
    let failing = false
    while (!stop.signal.aborted) {
      try {
        const processed = await task.run(scopeFor())
        if (failing) log.info({ task: task.name }, 'Background task recovered')
        failing = false
        if (processed === 0) await signal.wait(task.intervalMs)
      } catch (error) {
        if (!failing) log.warn({ task: task.name, err: error }, 'Background task failed; retrying')
        failing = true
        await signal.wait(retryMs)
      }
    }
  }
  const loops = tasks.map((task, index) => repeat(task, signals[index]!))
  function wake(work?: WorkKind): void {
    for (const [index, task] of tasks.entries()) {
      if (work === undefined || task.wokenBy === work) signals[index]!.wake()
    }
  }
  return {
    wake,
    async close() {
      stop.abort()
      wake()
      const drained = createWakeSignal()
      void Promise.all(loops).then(drained.wake)
      await drained.wait(drainMs)
    },
  }
}
