import { availableParallelism, loadavg } from 'node:os'

/** By the busiest minute that this process has seen, so that a limit never shrinks while it runs. */
let factor = 1

/**
 * A time limit for a machine as busy as this one: where twice as many processes want to run as there are cores, all take twice
 * as long. Limits of tests and of the harness are scaled, waits never.
 */
export function scaledTimeout(milliseconds: number): number {
  factor = Math.max(factor, loadavg()[0]! / availableParallelism())
  return Math.ceil(milliseconds * factor)
}
