import { chosen, type Fault } from './fault.ts'

/** Commits wait for a standby that is gone, until they no longer have to or until it is back. */
export const loseStandby: Fault = {
  name: 'loss of the standby',
  lane: 'database',
  weight: 1,
  lastsMs: [300, 3_000],
  effects: ['database', 'delay'],
  begin: ({ system }) => system.database.standby.kill(),
  async heal({ system: { database } }, { variant }) {
    if (chosen([true, false], variant)) await database.degrade()
    else await database.standby.start()
  },
  async settle({ system: { database } }) {
    if (!database.standby.isRunning) await database.standby.start()
    await database.untilStreaming()
    await database.primary.configure({ synchronous: true })
  },
}
