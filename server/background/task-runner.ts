import type { WorkKind } from '#domain/ports.ts'
import type { DomainLog, Scope } from '#domain/scope.ts'
import type { Task } from './tasks.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

/** How long to wait after a failure. */
const afterFailureMs = 5_000

/** A batch that asks the provider may take its deadline, 10 s, which a process that is to end does not have. */
const finishMsMax = 7_000

export interface TaskRunner {
  /** Runs the tasks that this kind of work wakes immediately, or all of them. */
  wake(work?: WorkKind): void
  /** Answers when the batches in hand are done, or after 7 s: what is not done is left to its lease. */
  close(): Promise<void>
}

/** Runs each task in a loop of its own: batch after batch while rows are due, then waits. */
export function runTasks(
  tasks: readonly Task[],
  scopeFor: () => Scope,
  log: DomainLog,
  patienceMs = finishMsMax,
): TaskRunner {
  const stop = new AbortController()
  // One each, rather than one promise for all: what waits on a promise that never settles is never forgotten.
  const signals: { task: Task; signal: WakeSignal }[] = []
  async function repeat(task: Task, signal: WakeSignal): Promise<void> {
    let failing = false
    while (!stop.signal.aborted) {
      try {
        const done = await task.run(scopeFor())
        if (failing) log.info({ task: task.name }, 'A background task works again')
        failing = false
        if (done === 0) await signal.wait(task.everyMs)
      } catch (error) {
        if (!failing) log.warn({ task: task.name, err: error }, 'A background task failed; it is tried again')
        failing = true
        await signal.wait(afterFailureMs)
      }
    }
  }
  const loops = tasks.map(task => {
    const signal = createWakeSignal()
    signals.push({ task, signal })
    return repeat(task, signal)
  })
  function wake(work?: WorkKind): void {
    for (const { task, signal } of signals) {
      if (work === undefined || task.wokenBy === work) signal.wake()
    }
  }
  return {
    wake,
    async close() {
      stop.abort()
      wake()
      const timeIsUp = createWakeSignal()
      void Promise.all(loops).then(timeIsUp.wake)
      await timeIsUp.wait(patienceMs)
    },
  }
}
