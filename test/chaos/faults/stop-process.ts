import type { ServiceProcess } from '../service/service-process.ts'
import type { System } from '../system.ts'
import { chosen, type Fault, type PlannedFault } from './fault.ts'

const onOne = {
  processes: (system: System, planned: PlannedFault) => [targetOf(system, planned).options.name],
  describe: (system: System, planned: PlannedFault) => `of ${targetOf(system, planned).options.name}`,
}

/** A process of the service is killed, and started again later. */
export const killProcess: Fault = {
  ...onOne,
  name: 'SIGKILL',
  lane: 'process',
  weight: 3,
  lastsMs: [0, 2_000],
  effects: ['connection'],
  begin: async ({ system }, planned) => void (await targetOf(system, planned).stop('SIGKILL')),
  heal: ({ system }, planned) => targetOf(system, planned).start(),
}

/** A process is shut down in order while it works, and started again. */
export const restartProcess: Fault = {
  ...onOne,
  name: 'restart',
  lane: 'process',
  weight: 1,
  lastsMs: [0, 500],
  effects: ['connection'],
  async begin({ system, violations }, planned) {
    const target = targetOf(system, planned)
    const code = await target.stop('SIGTERM')
    if (code !== 0)
      violations.add('A process ends with code 0 on SIGTERM', { name: target.options.name, code })
  },
  heal: ({ system }, planned) => targetOf(system, planned).start(),
}

/** A process stops, with its connections, locks and leases, and continues later. */
export const freezeProcess: Fault = {
  name: 'freeze',
  lane: 'process',
  weight: 3,
  // Longer than a delivery's lease, at most.
  lastsMs: [300, 11_000],
  // Its own deadlines pass meanwhile, and others may wait for the locks that it holds.
  effects: ['delay', 'database', 'cache', 'reservation', 'provider'],
  describe: onOne.describe,
  begin: async ({ system }, planned) => targetOf(system, planned).freeze(),
  heal: async ({ system }, planned) => targetOf(system, planned).resume(),
}

function targetOf({ processes }: System, { target }: PlannedFault): ServiceProcess {
  return chosen(processes, target)
}
