import { existsSync, readFileSync } from 'node:fs'
import type { ActiveFault, Timeline } from './timeline.ts'

const intervalMs = 250
/** A timer that is later than this means that processes wait for a processor. */
const latenessMsMax = 400
/**
 * What this process waits for a processor each time that it has something to do, on average of two seconds: mostly below 1 ms. From
 * 5 ms on, the dozens of times that a new connection takes exceed deadlines of a second.
 */
const waitMsMax = 5
const window = 8

/**
 * Enters the times at which the machine is too busy as a fault: other work can make any deadline pass, those of the
 * service to its dependencies too.
 */
export function watchMachine(timeline: Timeline) {
  const found: ActiveFault[] = []
  let current: ActiveFault | undefined
  const waits = [readWaits()]
  let dueAt = timeline.now() + intervalMs
  const timer = setInterval(() => {
    const lateness = timeline.now() - dueAt
    dueAt = timeline.now() + intervalMs
    waits.push(readWaits())
    if (waits.length > window + 1) waits.shift()
    const isBusy = lateness > latenessMsMax || meanMs(waits[0]!, waits.at(-1)!) > waitMsMax
    if (isBusy && !current) {
      current = timeline.begin({
        name: 'busy machine',
        effects: ['database', 'redis', 'provider', 'delay'],
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

const schedule = '/proc/self/schedstat'

/** How long this process has waited for a processor, and how often; never where the system doesn't say. */
function readWaits() {
  const [, waitedNs = 0, count = 0] = existsSync(schedule)
    ? readFileSync(schedule, 'utf8').split(' ').map(Number)
    : []
  return { ms: waitedNs / 1e6, count }
}

function meanMs(from: ReturnType<typeof readWaits>, to: ReturnType<typeof readWaits>): number {
  return (to.ms - from.ms) / Math.max(1, to.count - from.count)
}
