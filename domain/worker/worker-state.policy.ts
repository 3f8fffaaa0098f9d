import type { TaskRun } from './task-runs.ts'

/** A run is recorded this often at most: a task may run every two seconds. */
export const recordEveryMs = 10_000

/** For how long no task may have succeeded while a worker runs: the provider is polled every two seconds. */
const quietMsMax = 40_000

/** When a worker last did something; undefined if none was ever started. */
export function workerSeenAt(runs: readonly TaskRun[]): Date | undefined {
  return runs.length === 0 ? undefined : new Date(Math.max(...runs.map(({ at }) => at.getTime())))
}

/** Whether a worker runs. A run in a future that can't be was recorded before the clock was set back. */
export function isWorkerRunning(runs: readonly TaskRun[], now: Date): boolean {
  const seenAt = workerSeenAt(runs)
  return seenAt !== undefined && Math.abs(now.getTime() - seenAt.getTime()) < quietMsMax
}

/** How long a run may take, or fail and be repeated, beyond its interval. */
const lateMsMax = 2 * 60_000

/** The tasks that haven't succeeded for long: each run fails, or one doesn't end. */
export function lateTasks(
  runs: readonly TaskRun[],
  tasks: readonly { name: string; intervalMs: number }[],
  now: Date,
): string[] {
  const isLate = ({ name, intervalMs }: { name: string; intervalMs: number }) => {
    const run = runs.find(({ task }) => task === name)
    return run !== undefined && now.getTime() - run.at.getTime() > intervalMs + lateMsMax
  }
  return tasks.filter(isLate).map(({ name }) => name)
}
