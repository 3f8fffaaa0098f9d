import type { Network } from '../engines/tcp-proxy.ts'
import { chosen, type Fault } from './fault.ts'

const networks: Network[] = ['stalled', 'refused']

/** The standby no longer reaches the primary, so that commits wait. */
export const cutReplication: Fault = {
  name: 'cut of the replication',
  lane: 'database',
  weight: 1,
  lastsMs: [300, 4_000],
  effects: ['database', 'delay'],
  describe: (_, { variant }) => `which is ${chosen(networks, variant)}`,
  begin: async ({ system }, { variant }) => system.database.replication.set(chosen(networks, variant)),
  async heal({ system: { database } }) {
    database.replication.set('open')
    await database.untilStreaming()
  },
}
