import type { Client } from 'pg'
import { readStatus } from '../clients/calls.ts'
import type { Run } from '../run.ts'
import { databaseName } from '../system.ts'
import { chosen, type Fault, type PlannedFault } from './fault.ts'

const sessions = new WeakMap<PlannedFault, Client>()

/** Statements on a table wait for a lock, as behind a slow migration. */
export const lockTable: Fault = {
  name: 'slow statements',
  lane: 'database',
  weight: 2,
  lastsMs: [300, 5_000],
  effects: ['database', 'delay'],
  begin: lock,
  heal: unlock,
}

/** Statements wait, and so many requests come that they need more connections than the pools have. */
export const exhaustPool: Fault = {
  name: 'exhausted pools',
  lane: 'database',
  weight: 1,
  lastsMs: [1_000, 7_000],
  effects: ['database', 'delay'],
  async begin(run, planned) {
    await lock(run, planned)
    const known = run.ledger.starts.filter(({ outcome }) => outcome === 'acknowledged').slice(-10)
    for (const process of run.system.apis) for (const entry of known) void readStatus(run, process, entry)
  },
  heal: unlock,
}

async function lock({ system }: Run, planned: PlannedFault): Promise<void> {
  const session = await system.database.primary.connect(databaseName)
  sessions.set(planned, session)
  const { rows } = await session.query(
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  )
  const table = chosen(rows, planned.target).tablename
  await session.query('begin')
  await session.query(`set local lock_timeout = '2s'`)
  await session
    .query(`lock table ${session.escapeIdentifier(table)} in access exclusive mode`)
    .catch(() => undefined)
}

async function unlock(_: Run, planned: PlannedFault): Promise<void> {
  await sessions.get(planned)?.end()
}
