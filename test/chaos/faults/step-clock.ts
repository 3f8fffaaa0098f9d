import { chosen, type Fault, type PlannedFault } from './fault.ts'

/** The largest difference between the clocks of a process and of the machine. */
export const clockStepMsMax = 60_000

/** The clock of one process steps forward or back, and steps back to the right time later. */
export const stepClock: Fault = {
  name: 'clock step',
  lane: 'clock',
  weight: 1,
  lastsMs: [500, 6_000],
  // A reservation may look older than it is, and an idempotency key's lock too.
  effects: ['reservation'],
  describe: ({ processes }, planned) =>
    `of ${chosen(processes, planned.target).options.name} by ${stepMs(planned) / 1_000} s`,
  begin: async ({ system }, planned) => chosen(system.processes, planned.target).setClock(stepMs(planned)),
  heal: async ({ system }, planned) => chosen(system.processes, planned.target).setClock(0),
}

function stepMs({ variant }: PlannedFault): number {
  return (variant % (2 * clockStepMsMax)) - clockStepMsMax
}
