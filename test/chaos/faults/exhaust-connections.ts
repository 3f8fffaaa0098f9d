import pg from 'pg'
import { databaseName, databaseUser } from '../system.ts'
import type { Fault, PlannedFault } from './fault.ts'

const occupied = new WeakMap<PlannedFault, pg.Client[]>()

/** Other programs use up the connections that the server accepts. */
export const exhaustConnections: Fault = {
  name: 'exhausted connections',
  lane: 'database',
  weight: 1,
  lastsMs: [300, 4_000],
  effects: ['database', 'delay'],
  async begin({ system }, planned) {
    const clients: pg.Client[] = []
    occupied.set(planned, clients)
    const url = new URL(system.database.primary.urlOf(databaseName))
    url.username = databaseUser
    url.password = databaseUser
    for (;;) {
      const client = new pg.Client({ connectionString: url.href })
      client.on('error', () => undefined)
      try {
        await client.connect()
      } catch {
        return
      }
      clients.push(client)
    }
  },
  heal: async (_, planned) => void (await Promise.all(occupied.get(planned)!.map(client => client.end()))),
}
