import type { WorkerBell } from '#domain/ports.ts'
import type { Services } from './services.ts'
import { runTasks } from './task-runner.ts'
import { tasks } from './tasks.ts'

export interface Worker {
  wake: WorkerBell['ring']
  close(): Promise<void>
}

/** Delivers events and does the background work, until it is closed. */
export function startWorker({ scopeFor, log }: Services): Worker {
  const runner = runTasks(tasks, () => scopeFor({ kind: 'service' }), log)
  return {
    wake(work) {
      if (work === 'tasks') runner.wake()
    },
    close: () => runner.close(),
  }
}
