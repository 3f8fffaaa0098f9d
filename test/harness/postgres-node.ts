import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Account, serverAccount } from '#development/postgres/account.ts'
import { eventually } from './eventually.ts'
import { findPostgresProgram } from './system-program.ts'

const run = promisify(execFile)

/** How a server is stopped: after its clients were disconnected and all was written, or as in a crash. */
export type StopMode = 'fast' | 'immediate'

export interface PostgresNode {
  name: string
  host: string
  port: number
  /** Of the database `verify`, without parameters. */
  url: string
  dataFolder: string
  /** Starts the server; resolves when it accepts connections. */
  start(): Promise<void>
  stop(mode: StopMode): Promise<void>
  /** Suspends all processes of the server: connections stay open, and nothing is answered. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Makes a standby the primary; resolves when it accepts writes. */
  promote(): Promise<void>
  /** Runs one statement in the database `postgres`, on a connection of its own. */
  query<Row extends object>(text: string): Promise<Row[]>
  queryIn<Row extends object>(database: string, text: string): Promise<Row[]>
}

export interface NodeOptions {
  name: string
  port: number
  dataFolder: string
  /** Written to the command line; they take precedence over the files. */
  settings?: Record<string, string | number>
}

/** A program of PostgreSQL, run as the account that the server has. */
export async function runPostgresProgram(name: string, ...args: string[]): Promise<void> {
  await run(findPostgresProgram(name)!, args, { ...(await serverAccount()), cwd: '/' })
}

/** A server on an existing data folder. It is not started yet. */
export async function createPostgresNode(options: NodeOptions): Promise<PostgresNode> {
  const { name, port, dataFolder, settings = {} } = options
  const account = await serverAccount()
  const host = '127.0.0.1'
  const url = `postgres://postgres@${host}:${port}/verify`
  let server: ChildProcess | undefined
  let exited: Promise<unknown> = Promise.resolve()
  async function queryIn<Row extends object>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ host, port, user: 'postgres', database })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  const query = <Row extends object>(text: string) => queryIn<Row>('postgres', text)
  async function signal(name: NodeJS.Signals): Promise<void> {
    // Again for processes that the postmaster had started meanwhile.
    for (let round = 0; round < 2; round++) {
      for (const pid of [server!.pid!, ...childrenOf(server!.pid!)]) kill(pid, name)
    }
  }
  return {
    name,
    host,
    port,
    url,
    dataFolder,
    query,
    queryIn,
    async start() {
      server = spawnServer({ port, dataFolder, settings }, account)
      exited = once(server, 'exit')
      await eventually(async () => (await query('select 1')).length === 1, { timeoutMs: 30_000 })
    },
    async stop(mode) {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await exited
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async promote() {
      await query('select pg_promote(true, 30)')
      await eventually(
        async () => {
          const [row] = await query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
          return !row!.recovering
        },
        { timeoutMs: 30_000 },
      )
    },
  }
}

function spawnServer(
  { port, dataFolder, settings }: Pick<NodeOptions, 'port' | 'dataFolder'> & { settings: object },
  account: Account,
): ChildProcess {
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '16MB',
    fsync: 'off',
    wal_level: 'replica',
    hot_standby: 'on',
    max_wal_senders: 8,
    wal_keep_size: '256MB',
    wal_receiver_timeout: '2s',
    wal_retrieve_retry_interval: '100ms',
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
  const server = spawn(findPostgresProgram('postgres')!, ['-D', dataFolder, ...flags], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C' },
    detached: true,
    stdio: 'ignore',
  })
  const killOnExit = () => [server.pid!, ...childrenOf(server.pid!)].forEach(pid => void kill(pid, 'SIGKILL'))
  process.once('exit', killOnExit)
  server.once('exit', () => process.off('exit', killOnExit))
  return server
}

/** Each of the server's processes has a session of its own, so they have no process group in common. */
function childrenOf(parent: number): number[] {
  return globSync('/proc/[0-9]*/stat').flatMap(file => {
    try {
      const fields = readFileSync(file, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return Number(fields[1]) === parent ? [Number(file.split('/')[2])] : []
    } catch {
      // The process has ended meanwhile.
      return []
    }
  })
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
