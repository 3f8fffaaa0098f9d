import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Account } from '#development/postgres/account.ts'
import { killOnExit, signalTree } from './process-tree.ts'
import type { Volume } from './volume.ts'

export interface PostgresServerOptions {
  name: string
  program: string
  account: Account
  volume: Volume
  port: number
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
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
  }

  urlOf(database: string): string {
    const { port, password } = this.options
    return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`
  }

  /** Starts it; resolves when it accepts connections. A server whose predecessor is still ending is started again. */
  async start(): Promise<void> {
    const deadline = performance.now() + startMsMax
    while (performance.now() < deadline) {
      if (!this.isRunning) this.#process = this.#spawn()
      if (await this.#accepts()) return
      await wait(50)
    }
    throw new Error(`PostgreSQL ${this.options.name} did not start; see ${this.options.logFile}`)
  }

  /** `SIGINT` is a fast shutdown, `SIGQUIT` an immediate one. Resolves when it has ended. */
  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    await this.#end(server => void server.kill(signal))
  }

  /** Kills all of its processes. */
  async kill(): Promise<void> {
    await this.#end(server => signalTree(server.pid!, 'SIGKILL'))
  }

  freeze(): void {
    if (this.isRunning) signalTree(this.#process!.pid!, 'SIGSTOP')
  }

  resume(): void {
    if (this.isRunning) signalTree(this.#process!.pid!, 'SIGCONT')
  }

  /** Settings of replication, which a running server applies at once. */
  async configure({ synchronous, upstreamPort }: Replication): Promise<void> {
    const { account, password } = this.options
    const upstream = `host=127.0.0.1 port=${upstreamPort} user=postgres password=${password} application_name=standby`
    const lines = [
      `synchronous_standby_names = '${synchronous ? '*' : ''}'`,
      `primary_conninfo = '${upstreamPort === undefined ? '' : upstream}'`,
    ]
    const file = join(this.dataFolder, 'postgresql.auto.conf')
    await writeFile(file, `${lines.join('\n')}\n`)
    if (account.uid !== undefined) await chown(file, account.uid, account.gid!)
    if (this.isRunning) this.#process!.kill('SIGHUP')
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
  async connect(database = 'postgres'): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.urlOf(database), connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async #accepts(): Promise<boolean> {
    try {
      await this.query('select 1')
      return true
    } catch {
      return false
    }
  }

  async #end(signal: (server: ChildProcess) => void): Promise<void> {
    if (!this.isRunning) return
    const exited = once(this.#process!, 'exit')
    signal(this.#process!)
    await exited
  }

  #spawn(): ChildProcess {
    const { program, account, port, logFile } = this.options
    const settings = Object.entries({ ...serverSettings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const log = openSync(logFile, 'a')
    const server = spawn(program, ['-D', this.dataFolder, ...settings], {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', log, log],
    })
    killOnExit(server)
    closeSync(log)
    return server
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
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
  recovery_target_timeline: 'latest',
  timezone: 'UTC',
  log_checkpoints: 'off',
}
