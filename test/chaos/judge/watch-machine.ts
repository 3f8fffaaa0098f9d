import { availableParallelism, loadavg } from 'node:os'
import type { ActiveFault, Timeline } from './timeline.ts'

const intervalMs = 250
/** A timer that is later than this means that processes wait for a processor. */
const latenessMsMax = 400
/** Waiting processes per processor. */
const loadMax = 10

/**
 * Enters the times at which the machine is too busy as a fault: other work can make any deadline pass, those of the
 * service to its dependencies too.
 */
export function watchMachine(timeline: Timeline) {
  const found: ActiveFault[] = []
  let current: ActiveFault | undefined
  let dueAt = timeline.now() + intervalMs
  const timer = setInterval(() => {
    const lateness = timeline.now() - dueAt
    dueAt = timeline.now() + intervalMs
    const isBusy = lateness > latenessMsMax || loadavg()[0]! > loadMax * availableParallelism()
    if (isBusy && !current) {
      current = timeline.begin({
        name: 'busy machine',
        effects: ['database', 'cache', 'provider', 'delay'],
        processes: undefined,
      })
      current.startedAt -= lateness
      found.push(current)
    } else if (!isBusy && current) {
      timeline.end(current)
      current = undefined
    }
  }, intervalMs)
  return {
    /** For how long the machine was too busy for deadlines to mean anything. */
    busySeconds: () =>
      found.reduce((sum, { startedAt, healedAt }) => sum + (healedAt ?? timeline.now()) - startedAt, 0) /
      1_000,
    close: () => clearInterval(timer),
  }
}
