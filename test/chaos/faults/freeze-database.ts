import type { Fault } from './fault.ts'

/** The primary stops responding, with its connections open, and continues later. */
export const freezePrimary: Fault = {
  name: 'freeze of the primary',
  lane: 'database',
  weight: 2,
  lastsMs: [300, 7_000],
  effects: ['database', 'delay'],
  begin: async ({ system }) => system.database.primary.freeze(),
  async heal({ system: { database } }) {
    database.primary.resume()
    await database.untilStreaming()
  },
}

/** Commits wait for a standby that doesn't respond. */
export const freezeStandby: Fault = {
  name: 'freeze of the standby',
  lane: 'database',
  weight: 1,
  lastsMs: [300, 4_000],
  effects: ['database', 'delay'],
  begin: async ({ system }) => system.database.standby.freeze(),
  async heal({ system: { database } }) {
    database.standby.resume()
    await database.untilStreaming()
  },
}
