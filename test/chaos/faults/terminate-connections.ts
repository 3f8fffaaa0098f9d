import { databaseUser } from '../system.ts'
import type { Fault } from './fault.ts'

/** The server ends all connections of the service, whatever they are doing. */
export const terminateConnections: Fault = {
  name: 'terminated connections',
  lane: 'database',
  weight: 1,
  lastsMs: [0, 0],
  effects: ['database'],
  async begin({ system }) {
    await system.database.primary.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      [databaseUser],
    )
  },
  heal: async () => undefined,
}
