import { chosen, type Fault } from './fault.ts'

const ways = ['crash', 'freeze'] as const

/** The primary crashes or freezes, and its standby is promoted. The old primary is killed before, and built anew. */
export const failOver: Fault = {
  name: 'failover',
  lane: 'database',
  weight: 4,
  lastsMs: [500, 4_000],
  effects: ['database', 'delay'],
  describe: (_, { variant }) => `after a ${chosen(ways, variant)} of the primary`,
  async begin({ system: { database } }, { variant }) {
    if (chosen(ways, variant) === 'crash') await database.primary.kill()
    else database.primary.freeze()
  },
  async heal({ system: { database } }) {
    // Even a frozen server could answer again after the promotion.
    await database.primary.kill()
    await database.promoteStandby()
  },
  settle: ({ system }) => system.database.buildStandby(),
}
