import type { Network } from '../../harness/engines/tcp-proxy.ts'
import { chosen, type Fault } from './fault.ts'

export const postgres = { lane: 'database', effects: ['database', 'delay'] } as const

/** The primary's processes are killed; later it starts again and recovers. */
const crashPrimary: Fault = {
  ...postgres,
  name: 'crash of the primary',
  weight: 2,
  lastsMs: [200, 3_000],
  begin: ({ system }) => system.database.primary.kill(),
  async heal({ system: { database } }) {
    await database.primary.start()
    await database.untilStreaming()
  },
}

export const ways = ['crash', 'freeze', 'cut'] as const

/**
 * The primary crashes, freezes, or is cut off the network, and its standby is promoted. The old primary is killed before,
 * because it could answer again, and built anew. Connections to one that has not crashed stay silent.
 */
export const failOver: Fault = {
  ...postgres,
  name: 'failover',
  weight: 4,
  lastsMs: [500, 4_000],
  describe: (_, { variant }) => `after a ${chosen(ways, variant)} of the primary`,
  async begin({ system: { database } }, { variant }) {
    const { primary } = database
    const way = chosen(ways, variant)
    if (way === 'crash') await primary.kill()
    else if (way === 'freeze') primary.freeze()
    else primary.options.network.set('cut')
  },
  async heal({ system: { database } }) {
    const { primary } = database
    if (primary.isRunning) primary.options.network.set('cut')
    await primary.kill()
    await database.promoteStandby()
  },
  settle: ({ system }) => system.database.buildStandby(),
}

/** The primary is shut down in order, its standby is promoted, and the old primary follows it. */
export const switchOver: Fault = {
  ...postgres,
  name: 'switchover',
  weight: 3,
  lastsMs: [0, 500],
  begin: ({ system }) => system.database.primary.stop(),
  heal: ({ system }) => system.database.promoteStandby(),
  settle: ({ system }) => system.database.followPrimary(),
}

/** The primary stops responding, with its connections open, and continues later. */
const freezePrimary: Fault = {
  ...postgres,
  name: 'freeze of the primary',
  weight: 2,
  lastsMs: [300, 7_000],
  begin: async ({ system }) => system.database.primary.freeze(),
  async heal({ system: { database } }) {
    database.primary.resume()
    await database.untilStreaming()
  },
}

/** Commits wait for a standby that doesn't respond. */
const freezeStandby: Fault = {
  ...postgres,
  name: 'freeze of the standby',
  weight: 1,
  lastsMs: [300, 4_000],
  begin: async ({ system }) => system.database.standby.freeze(),
  async heal({ system: { database } }) {
    database.standby.resume()
    await database.untilStreaming()
  },
}

/** Commits wait for a standby that is gone, until they no longer have to or until it is back. */
export const loseStandby: Fault = {
  ...postgres,
  name: 'loss of the standby',
  weight: 1,
  lastsMs: [300, 3_000],
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

const networks: Network[] = ['stalled', 'refused']

/** The standby no longer reaches the primary, so that commits wait. */
const cutReplication: Fault = {
  ...postgres,
  name: 'cut of the replication',
  weight: 1,
  lastsMs: [300, 4_000],
  describe: (_, { variant }) => `which is ${chosen(networks, variant)}`,
  begin: async ({ system }, { variant }) => system.database.replication.set(chosen(networks, variant)),
  async heal({ system: { database } }) {
    database.replication.set('open')
    await database.untilStreaming()
  },
}

const servers = ['primary', 'primary', 'standby'] as const

/** The disk of a database server is full: statements fail, and it may crash. It starts again where it has. */
const fillDisk: Fault = {
  ...postgres,
  name: 'full disk',
  weight: 2,
  lastsMs: [500, 3_000],
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

export const postgresFaults = [
  crashPrimary,
  failOver,
  switchOver,
  freezePrimary,
  freezeStandby,
  loseStandby,
  cutReplication,
  fillDisk,
]
