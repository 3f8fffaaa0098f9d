import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Account } from '#development/postgres/account.ts'
import { eventually } from '../eventually.ts'
import { endProcess, isRunning, killOnExit, signalTree } from '../processes/process-tree.ts'
import type { TcpProxy } from './tcp-proxy.ts'
import type { Volume } from './volume.ts'

export interface PostgresServerOptions {
  name: string
  program: string
  account: Account
  volume: Volume
  port: number
  /** The network to it, for everything but replication and statements of the superuser. */
  network: TcpProxy
  /** Of the user `postgres`. */
  password: string
  logFile: string
}

export interface Replication {
  /** Whether commits wait for the standby. */
  synchronous: boolean
  /** Where a standby streams from. */
  upstreamPort?: number
}

/** How long a server may take to accept connections, crash recovery included. */
const startMsMax = 60_000

/** One PostgreSQL server on a data folder that exists. */
export class PostgresServer {
  readonly options: PostgresServerOptions
  #process: ChildProcess | undefined

  constructor(options: PostgresServerOptions) {
    this.options = options
  }

  get dataFolder(): string {
    return join(this.options.volume.folder, 'data')
  }

  get isRunning(): boolean {
    return this.#process !== undefined && isRunning(this.#process)
  }

  /** Starts it; resolves when it accepts connections. A server whose predecessor is still ending is started again. */
  async start(): Promise<void> {
    const untilAccepts = async () => {
      if (!this.isRunning) this.#process = this.#spawn()
      await this.query('select 1')
    }
    await eventually(untilAccepts, { timeoutMs: startMsMax }).catch(cause => {
      const { name, logFile } = this.options
      throw new Error(`PostgreSQL ${name} did not start; see ${logFile}`, { cause })
    })
  }

  /** A fast shutdown. Resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.isRunning) await endProcess(this.#process!, 'SIGINT')
  }

  /** Kills all of its processes. */
  async kill(): Promise<void> {
    if (!this.isRunning) return
    signalTree(this.#process!.pid!, 'SIGKILL')
    await endProcess(this.#process!)
  }

  freeze(): void {
    if (this.isRunning) signalTree(this.#process!.pid!, 'SIGSTOP')
  }

  resume(): void {
    if (this.isRunning) signalTree(this.#process!.pid!, 'SIGCONT')
  }

  /** Settings of replication, which a running server applies at once. */
  async configure({ synchronous, upstreamPort }: Replication): Promise<void> {
    const { password } = this.options
    const upstream = `host=127.0.0.1 port=${upstreamPort} user=postgres password=${password} application_name=standby`
    const lines = [
      `synchronous_standby_names = '${synchronous ? '*' : ''}'`,
      `primary_conninfo = '${upstreamPort === undefined ? '' : upstream}'`,
    ]
    await this.writeFile('postgresql.auto.conf', `${lines.join('\n')}\n`)
    if (this.isRunning) this.#process!.kill('SIGHUP')
  }

  /** Writes a file of the data folder, which only the server's account can read. */
  async writeFile(name: string, content: string): Promise<void> {
    const { uid, gid } = this.options.account
    const file = join(this.dataFolder, name)
    await writeFile(file, content, { mode: 0o600 })
    if (uid !== undefined) await chown(file, uid, gid!)
  }

  /** Whether it answers on its network as the primary. */
  async acceptsWrites(): Promise<boolean> {
    const session = await this.connect('postgres', this.options.network.port)
    try {
      const { rows } = await session.query('select pg_is_in_recovery() as recovering')
      return !rows[0].recovering
    } finally {
      void session.end().catch(() => undefined)
    }
  }

  /** Runs a statement as superuser on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    database = 'postgres',
  ): Promise<Row[]> {
    const client = await this.connect(database)
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** A connection as superuser. That it is lost is reported by its next statement only. */
  async connect(database = 'postgres', port = this.options.port): Promise<pg.Client> {
    const { password } = this.options
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password,
      database,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  #spawn(): ChildProcess {
    const { program, account, port, logFile } = this.options
    const settings = Object.entries({ ...serverSettings, port }).map(([name, value]) => `--${name}=${value}`)
    const log = openSync(logFile, 'a')
    const server = spawn(program, ['-D', this.dataFolder, ...settings], {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    return killOnExit(server)
  }
}

const serverSettings: Record<string, string | number> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 80,
  shared_buffers: '32MB',
  wal_level: 'replica',
  max_wal_senders: 5,
  wal_keep_size: '64MB',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  hot_standby: 'on',
  // Processes are killed, not the machine.
  fsync: 'off',
  full_page_writes: 'off',
  jit: 'off',
  autovacuum_naptime: '10min',
  // Longer than any fault, so that a busy machine ends no stream.
  wal_receiver_timeout: '20s',
  wal_sender_timeout: '20s',
  wal_retrieve_retry_interval: '200ms',
  recovery_target_timeline: 'latest',
  timezone: 'UTC',
  log_checkpoints: 'off',
}
