import type { Fault } from '../faults/fault.ts'
import { networkFaults } from '../faults/network.ts'
import { loseStandby } from '../faults/postgres.ts'
import { freezeProcess } from '../faults/processes.ts'
import { breakProvider, breakReceivers, crashRedis } from '../faults/surroundings.ts'
import type { Operation } from './probes.ts'

/** A fault that doesn't end, and what it may stop. */
export interface StandingFault {
  fault: Fault
  /** The index of the only process that it reaches; all by default. */
  target?: number
  /** The tenant whose receiver is gone. */
  receiver?: string
  /** The operations that need what is gone. */
  stops?: readonly Operation[]
}

const busiest = 'with events'

/** Commits don't wait for it. */
const loseAsynchronousStandby: Fault = {
  ...loseStandby,
  name: 'loss of the asynchronous standby',
  effects: [],
  async begin({ system: { database } }) {
    await database.degrade()
    await database.standby.kill()
  },
  heal: ({ system }) => system.database.standby.start(),
}

/** It accepts connections and never responds: that of the tenant with the most events, one of five. */
const killReceiver: Fault = {
  ...breakReceivers,
  name: 'dead receiver',
  describe: () => 'of one tenant in five',
  begin: async ({ system, ledger }) =>
    system.receivers.behaveLike('hang', ledger.tenant(busiest).receiverPath),
}

const weakenProvider: Fault = {
  ...breakProvider,
  name: 'provider that answers every third request',
  describe: () => '',
  begin: ({ system }) => system.provider.answerWith('every-third'),
}

/** Responses are lost, requests arrive. */
const cutOneWay = (dependency: string) =>
  networkFaults.find(({ name }) => name === `network to ${dependency} one-way`)!

/** The first two processes serve the API, and the next two are workers. */
export const standingFaults: readonly StandingFault[] = [
  { fault: loseAsynchronousStandby },
  { fault: crashRedis, stops: ['start', 'status', 'validate', 'console', 'poll'] },
  { fault: killReceiver, receiver: busiest },
  { fault: weakenProvider },
  { fault: freezeProcess, target: 0 },
  // One of both owns the tasks.
  { fault: freezeProcess, target: 2 },
  { fault: freezeProcess, target: 3 },
  { fault: cutOneWay('PostgreSQL'), target: 0 },
  { fault: cutOneWay('PostgreSQL'), target: 2 },
  { fault: cutOneWay('Redis'), target: 0 },
]
