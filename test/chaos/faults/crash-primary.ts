import type { Fault } from './fault.ts'

/** The primary's processes are killed; later it starts again and recovers. */
export const crashPrimary: Fault = {
  name: 'crash of the primary',
  lane: 'database',
  weight: 2,
  lastsMs: [200, 3_000],
  effects: ['database', 'delay'],
  begin: ({ system }) => system.database.primary.kill(),
  async heal({ system: { database } }) {
    await database.primary.start()
    await database.untilStreaming()
  },
}
