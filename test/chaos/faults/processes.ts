import type { SupervisedService } from '../system/supervised-service.ts'
import type { System } from '../system/system.ts'
import { chosen, type Fault, type PlannedFault } from './fault.ts'

const onOne = {
  processes: (system: System, planned: PlannedFault) => [chooseTarget(system, planned).options.name],
  describe: (system: System, planned: PlannedFault) => `of ${chooseTarget(system, planned).options.name}`,
}

/** A process of the service is killed, and started again later. */
const killProcess: Fault = {
  ...onOne,
  name: 'SIGKILL',
  lane: 'process',
  weight: 3,
  lastsMs: [0, 2_000],
  effects: ['connection'],
  begin: async ({ system }, planned) => void (await chooseTarget(system, planned).stop('SIGKILL')),
  heal: ({ system }, planned) => chooseTarget(system, planned).start(),
}

/** All processes of the service and the primary are killed, and started again. */
export const killEverything: Fault = {
  name: 'SIGKILL of everything',
  lane: 'process',
  weight: 0,
  lastsMs: [0, 2_000],
  effects: ['connection', 'database', 'delay'],
  async begin({ system }) {
    const killed = system.processes.map(process => process.stop('SIGKILL'))
    await Promise.all([...killed, system.database.primary.kill()])
  },
  async heal({ system }) {
    await system.database.primary.start()
    await Promise.all([system.database.untilStreaming(), ...system.processes.map(process => process.start())])
  },
}

/** A process is shut down in order while it works, and started again: no request fails, unless it is the only one. */
const restartProcess: Fault = {
  name: 'restart',
  lane: 'process',
  weight: 1,
  lastsMs: [0, 0],
  effects: ['connection'],
  processes: ({ apis }) => (apis.length > 1 ? [] : apis.map(({ options }) => options.name)),
  describe: onOne.describe,
  async begin({ system, violations }, planned) {
    const target = chooseTarget(system, planned)
    const code = await target.restart()
    if (code !== 0)
      violations.add('A process ends with code 0 on SIGTERM', { name: target.options.name, code })
  },
}

/** All processes are restarted in order: those of a role one after the other, different roles at the same time. */
export const restartInTurn: Fault = {
  ...restartProcess,
  name: 'rolling restart',
  weight: 0,
  describe: () => 'of all processes',
  async begin(run, planned) {
    const { processes } = run.system
    const roles = Map.groupBy(processes.keys(), target => processes[target]!.options.role)
    const restarts = roles.values().map(async targets => {
      for (const target of targets) await restartProcess.begin(run, { ...planned, target })
    })
    await Promise.all(restarts)
  },
}

/** A process stops, with its connections, locks and leases, and continues later. */
export const freezeProcess: Fault = {
  name: 'freeze',
  lane: 'process',
  weight: 3,
  // Longer than a delivery's lease, at most.
  lastsMs: [300, 11_000],
  // Its own deadlines pass meanwhile, and others may wait for the locks that it holds.
  effects: ['delay', 'database', 'redis', 'reservation', 'provider'],
  describe: onOne.describe,
  begin: async ({ system }, planned) => chooseTarget(system, planned).signal('SIGSTOP'),
  heal: async ({ system }, planned) => chooseTarget(system, planned).signal('SIGCONT'),
}

/** The largest difference between the clocks of a process and of the machine. */
export const clockStepMsMax = 60_000

/** The clock of one process steps forward or back, and steps back to the right time later. */
const stepClock: Fault = {
  name: 'clock step',
  lane: 'clock',
  weight: 1,
  lastsMs: [500, 6_000],
  // A reservation may look older than it is, and an idempotency key's lock too.
  effects: ['reservation'],
  describe: (system, planned) =>
    `of ${chooseTarget(system, planned).options.name} by ${stepMs(planned) / 1_000} s`,
  begin: async ({ system }, planned) => chooseTarget(system, planned).setClock(stepMs(planned)),
  heal: async ({ system }, planned) => chooseTarget(system, planned).setClock(0),
}

export const processFaults = [killProcess, restartProcess, freezeProcess, stepClock]

function chooseTarget({ processes }: System, { target }: PlannedFault): SupervisedService {
  return chosen(processes, target)
}

function stepMs({ variant }: PlannedFault): number {
  return (variant % (2 * clockStepMsMax)) - clockStepMsMax
}
