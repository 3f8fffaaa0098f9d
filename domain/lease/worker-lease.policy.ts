import type { KnownLease } from './list-leases.ts'

/** Its owner renews it every second, whether or not there is something to deliver. */
export const deliveryLease = { name: 'deliver events', durationMs: 6_000 }

/** How long after the lease has expired a worker may still be there: another one takes over, or the clocks differ. */
const toleranceMs = 30_000

/** When a worker last renewed its lease; undefined if none has one, because none was started or all have stopped. */
export function workerSeenAt(leases: readonly KnownLease[]): Date | undefined {
  const lease = leases.find(({ name }) => name === deliveryLease.name)
  return lease && new Date(lease.expiresAt.getTime() - deliveryLease.durationMs)
}

/** Whether a worker runs. A lease from a future that can't be was given before the clock was set back. */
export function isWorkerRunning(leases: readonly KnownLease[], now: Date): boolean {
  const seenAt = workerSeenAt(leases)
  return (
    seenAt !== undefined &&
    Math.abs(now.getTime() - seenAt.getTime()) < deliveryLease.durationMs + toleranceMs
  )
}

/** How long after its lease has expired a task may still be at one run. */
const runMsMax = 2 * 60_000

/** The tasks that a worker has begun and not come back to: a run doesn't end. */
export function hangingTasks(leases: readonly KnownLease[], tasks: readonly string[], now: Date): string[] {
  const expired = leases.filter(({ expiresAt }) => now.getTime() - expiresAt.getTime() > runMsMax)
  return expired.map(({ name }) => name).filter(name => tasks.includes(name))
}

const failing = 'failing: '

/** Held while a task fails on every run, by who has tried it last. */
export function failureLease(task: string): { name: string; durationMs: number } {
  return { name: `${failing}${task}`, durationMs: 30_000 }
}

/** The tasks that have failed repeatedly, within the last 30 s. */
export function failingTasks(leases: readonly KnownLease[], now: Date): string[] {
  return leases
    .filter(({ name, expiresAt }) => name.startsWith(failing) && expiresAt > now)
    .map(({ name }) => name.slice(failing.length))
}
