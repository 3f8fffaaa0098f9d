import { chosen, type Fault } from './fault.ts'

const servers = ['primary', 'primary', 'standby'] as const

/** The disk of a database server is full: statements fail, and it may crash. It starts again where it has. */
export const fillDisk: Fault = {
  name: 'full disk',
  lane: 'database',
  weight: 2,
  lastsMs: [500, 3_000],
  effects: ['database', 'delay'],
  describe: (_, { variant }) => `of the ${chosen(servers, variant)}`,
  unavailable: ({ database }) => database.primary.options.volume.notLimited,
  begin: ({ system }, { variant }) => system.database[chosen(servers, variant)].options.volume.fill(),
  async heal({ system: { database } }, { variant }) {
    const server = database[chosen(servers, variant)]
    await server.options.volume.clear()
    await server.start()
    await database.untilStreaming()
  },
}
