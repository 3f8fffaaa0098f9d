import { randomBytes } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { loadOrCreateSecret } from './load-or-create-secret.ts'
import { grantPassage, serverAccount } from './postgres/account.ts'
import { findBinaries } from './postgres/binaries.ts'
import { initialiseCluster } from './postgres/initialise-cluster.ts'
import { runServer } from './postgres/run-server.ts'
import { findServerProcess } from './postgres/server-process.ts'
import { stopLeftover } from './postgres/stop-leftover.ts'

/** The service's own database in the cluster. */
export const databaseName = 'age_verification'

export interface PostgresOptions {
  /** The data folder, held by this process (see `openDataFolder`). */
  folder: string
  /** On loopback; 0 takes a free one. */
  port: number
  /** Made where missing. */
  databaseName: string
  /** Gets each line of the server's own log. */
  onLog?: (line: string) => void
  /** Called when the server ends without having been asked to. */
  onDeath?: (error: Error) => void
  /** False for tests: nothing is forced to the disk. */
  durable?: boolean
}

export interface EmbeddedPostgres {
  /** Address with user, password and database. */
  url: string
  /** Stops the server; nothing of it is left when this has answered. */
  close(): Promise<void>
}

/**
 * The real PostgreSQL in the data folder, for this process. It comes up after any kind of end that the
 * one before had, and it stops only when `close` is called or the process exits.
 * Throws a `StartError` with one line that says why not.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { databaseName, onLog = () => {}, onDeath = () => {}, durable = true } = options
  const folder = await realpath(options.folder)
  const cluster = clusterIn(folder)
  const binaries = await findBinaries()
  const account = await serverAccount()
  await grantPassage(account, folder, binaries.postgres)
  await stopLeftover(cluster)
  const password = await loadOrCreateSecret(passwordFileIn(folder), () =>
    randomBytes(24).toString('base64url'),
  )
  await initialiseCluster(cluster, { initdb: binaries.initdb, account, password, durable })
  const program = binaries.postgres
  const server = await runServer({ program, account, cluster, port: options.port, durable, onLog, onDeath })
  try {
    await makeDatabase(urlOf(server.port, password, 'postgres'), databaseName)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { url: urlOf(server.port, password, databaseName), close: () => server.stop() }
}

/** The address of the server that another process runs on this data folder, or undefined if none does. */
export async function attachPostgres(options: {
  folder: string
  databaseName: string
}): Promise<string | undefined> {
  const folder = await realpath(options.folder).catch(() => undefined)
  if (folder === undefined) return undefined
  const server = await findServerProcess(clusterIn(folder))
  if (!server?.alive || !server.ready) return undefined
  return urlOf(server.port, await readFile(passwordFileIn(folder), 'utf8'), options.databaseName)
}

/**
 * Stops the server that a killed process left on this data folder, so that its port is free again before
 * ports are chosen. Only for the holder of the folder's lock.
 */
export async function stopLeftoverPostgres(folder: string): Promise<void> {
  await stopLeftover(clusterIn(await realpath(folder)))
}

async function makeDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

function clusterIn(folder: string): string {
  return join(folder, 'postgres')
}

function passwordFileIn(folder: string): string {
  return join(folder, 'postgres-password')
}

function urlOf(port: number, password: string, databaseName: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(databaseName)}`
}
