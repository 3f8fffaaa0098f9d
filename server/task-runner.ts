import type { DomainLog, Scope } from '#domain/scope.ts'
import type { Task } from './tasks.ts'

/** How long to wait after a failure. */
const afterFailureMs = 5_000

export interface TaskRunner {
  /** Looks for due rows of every task at once. */
  wake(): void
  /** Answers when the batches in hand are done. */
  close(): Promise<void>
}

/** Runs each task in a loop of its own: batch after batch while rows are due, then waits. */
export function runTasks(tasks: readonly Task[], scopeFor: () => Scope, log: DomainLog): TaskRunner {
  const stop = new AbortController()
  let alarm = Promise.withResolvers<void>()
  const loops = tasks.map(async task => {
    let failing = false
    while (!stop.signal.aborted) {
      // Taken before looking: a wake-up during it may be about rows that it did not see.
      const woken = alarm.promise
      try {
        const done = await task.run(scopeFor())
        if (failing) log.info({ task: task.name }, 'A background task works again')
        failing = false
        if (done === 0) await wait(task.everyMs, woken)
      } catch (error) {
        if (!failing) log.warn({ task: task.name, err: error }, 'A background task failed; it is tried again')
        failing = true
        await wait(afterFailureMs, woken)
      }
    }
  })
  function wake(): void {
    alarm.resolve()
    alarm = Promise.withResolvers()
  }
  return {
    wake,
    async close() {
      stop.abort()
      wake()
      await Promise.all(loops)
    },
  }
}

async function wait(ms: number, woken: Promise<void>): Promise<void> {
  const { promise: timeOut, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([timeOut, woken])
  clearTimeout(timer)
}
