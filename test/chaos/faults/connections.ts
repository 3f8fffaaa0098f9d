import pg from 'pg'
import { readStatus } from '../clients/calls.ts'
import type { Run } from '../run.ts'
import { databaseName, databaseUrl, databaseUser } from '../system/topology.ts'
import { chosen, type Fault, type PlannedFault } from './fault.ts'
import { postgres } from './postgres.ts'

/** What a fault has opened, and its end closes. */
const opened = new WeakMap<PlannedFault, pg.Client[]>()

/** Statements on a table wait for a lock, as behind a slow migration. */
const lockTable: Fault = {
  ...postgres,
  name: 'slow statements',
  weight: 2,
  lastsMs: [300, 5_000],
  begin: lock,
  heal: close,
}

/** Statements wait, and so many requests come that they need more connections than the pools have. */
const exhaustPool: Fault = {
  ...postgres,
  name: 'exhausted pools',
  weight: 1,
  lastsMs: [1_000, 7_000],
  async begin(run, planned) {
    await lock(run, planned)
    const known = run.ledger.starts.filter(({ outcome }) => outcome === 'acknowledged').slice(-10)
    for (const process of run.system.apis) for (const entry of known) void readStatus(run, process, entry)
  },
  heal: close,
}

/** Other programs use up the connections that the server accepts. */
const exhaustConnections: Fault = {
  ...postgres,
  name: 'exhausted connections',
  weight: 1,
  lastsMs: [300, 4_000],
  async begin({ system }, planned) {
    const clients: pg.Client[] = []
    opened.set(planned, clients)
    const url = databaseUrl(`127.0.0.1:${system.database.primary.options.port}`)
    for (;;) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      try {
        await client.connect()
      } catch {
        return
      }
      clients.push(client)
    }
  },
  heal: close,
}

/** The server ends all connections of the service, whatever they are doing. */
const terminateConnections: Fault = {
  ...postgres,
  name: 'terminated connections',
  weight: 1,
  lastsMs: [0, 0],
  effects: ['database'],
  async begin({ system }) {
    const terminate = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1'
    await system.database.primary.query(terminate, [databaseUser])
  },
}

export const connectionFaults = [lockTable, exhaustPool, exhaustConnections, terminateConnections]

async function lock({ system }: Run, planned: PlannedFault): Promise<void> {
  const session = await system.database.primary.connect(databaseName)
  opened.set(planned, [session])
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

async function close(_: Run, planned: PlannedFault): Promise<void> {
  await Promise.all((opened.get(planned) ?? []).map(client => client.end()))
}
