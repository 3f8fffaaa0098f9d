import type { Fault } from './fault.ts'

/** The primary is shut down in order, its standby is promoted, and the old primary follows it. */
export const switchOver: Fault = {
  name: 'switchover',
  lane: 'database',
  weight: 3,
  lastsMs: [0, 500],
  effects: ['database', 'delay'],
  begin: ({ system }) => system.database.primary.stop('SIGINT'),
  heal: ({ system }) => system.database.promoteStandby(),
  settle: ({ system }) => system.database.followNewPrimary(),
}
