import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { chown, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import type { Account } from '#development/postgres/account.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { processesOf, runOnExit, sendSignal } from '../processes/process-tree.ts'
import { findProgram, runProgram } from '../system-program.ts'
import { TcpProxy } from './tcp-proxy.ts'

export interface PatroniNodeOptions {
  name: string
  /** To be made, where the account may enter. */
  folder: string
  account: Account
  /** Where PostgreSQL's programs are. */
  binaries: string
  etcdPort: number
}

const patiently = { timeoutMs: 90_000 }

/** Patroni and the PostgreSQL that it manages, as on a machine of their own. */
export class PatroniNode {
  readonly options: PatroniNodeOptions
  /** The networks that everybody else reaches it by, and by which it reaches etcd. */
  readonly networks: { postgres: TcpProxy; api: TcpProxy; etcd: TcpProxy }
  readonly #env: Record<string, string>
  readonly #ports: { postgres: number; api: number }

  private constructor(
    options: PatroniNodeOptions,
    ports: { postgres: number; api: number },
    networks: PatroniNode['networks'],
  ) {
    this.options = options
    this.networks = networks
    this.#ports = ports
    const address = ({ port }: { port: number }) => `127.0.0.1:${port}`
    this.#env = {
      PATH: process.env.PATH ?? '',
      LC_ALL: 'C.UTF-8',
      HOME: options.folder,
      ...(parseEnv(readFileSync('deploy/patroni/node.env.example', 'utf8')) as Record<string, string>),
      PATRONI_NAME: options.name,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${ports.api}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: address(networks.api),
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${ports.postgres}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: address(networks.postgres),
      PATRONI_POSTGRESQL_DATA_DIR: join(options.folder, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: options.binaries,
      PATRONI_POSTGRESQL_PGPASS: join(options.folder, 'pgpass'),
      PATRONI_ETCD_HOSTS: address(networks.etcd),
      // Otherwise it takes the address that etcd advertises, past the network that the test cuts.
      PATRONI_ETCD_USE_PROXIES: 'true',
    }
  }

  static async open(options: PatroniNodeOptions): Promise<PatroniNode> {
    const { folder, account, etcdPort } = options
    await mkdir(folder, { mode: 0o700 })
    await copyFile('deploy/patroni/patroni.yaml', join(folder, 'config.yml'))
    if (account.uid !== undefined) await chown(folder, account.uid, account.gid!)
    const ports = { postgres: await freePort(), api: await freePort() }
    const networks = {
      postgres: await TcpProxy.open(ports.postgres),
      api: await TcpProxy.open(ports.api),
      etcd: await TcpProxy.open(etcdPort),
    }
    return new PatroniNode(options, ports, networks)
  }

  /** The URL of its PostgreSQL for the superuser, which no fault of the network reaches. */
  get url(): string {
    return `postgres://postgres:${this.#env.PATRONI_SUPERUSER_PASSWORD}@127.0.0.1:${this.#ports.postgres}/postgres`
  }

  /** Starts Patroni, as a supervisor does after a crash. It starts PostgreSQL when it knows its role. */
  start(): void {
    const { name, folder, account } = this.options
    const log = openSync(join(dirname(folder), `patroni-${name}.log`), 'a')
    const patroni = spawn(findProgram('patroni')!, [join(folder, 'config.yml')], {
      ...account,
      cwd: folder,
      env: this.#env,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    // PostgreSQL is no descendant of Patroni, because it outlives it.
    patroni.once(
      'exit',
      runOnExit(() => this.#signal('SIGKILL')),
    )
  }

  /** Whether Patroni passes a health check, such as `/primary`. */
  async passes(check: string): Promise<boolean> {
    const options = { method: 'HEAD', signal: AbortSignal.timeout(3_000) }
    return await fetch(`http://127.0.0.1:${this.#ports.api}${check}`, options).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** Whether its PostgreSQL is a primary. */
  async acceptsWrites(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 3_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return !(await client.query('select pg_is_in_recovery() as recovering')).rows[0].recovering
    } catch {
      return false
    } finally {
      void client.end().catch(() => undefined)
    }
  }

  /** Runs `patronictl` with the configuration of this node. */
  async control(...args: string[]): Promise<string> {
    const { folder, account } = this.options
    const command = ['-c', join(folder, 'config.yml'), ...args]
    const options = { ...account, cwd: folder, env: this.#env }
    return (await runProgram(findProgram('patronictl')!, command, options)).stdout
  }

  /** Kills Patroni and PostgreSQL. */
  async kill(): Promise<void> {
    await eventually(() => this.#signal('SIGKILL') === 0, patiently)
  }

  /** Stops all of its processes, also those that begin meanwhile. */
  freeze(): void {
    for (let before = -1, count = 0; count !== before; ) {
      before = count
      count = this.#signal('SIGSTOP')
    }
  }

  resume(): void {
    this.#signal('SIGCONT')
  }

  /** Cuts it off from clients, from the other nodes and from etcd, or connects it again. */
  setNetwork(network: 'cut' | 'open'): void {
    for (const proxy of Object.values(this.networks)) proxy.set(network)
  }

  async close(): Promise<void> {
    await this.kill()
    await Promise.all(Object.values(this.networks).map(proxy => proxy.close()))
  }

  /** Patroni, PostgreSQL and what they have started. Returns how many there are. */
  #signal(signal: NodeJS.Signals): number {
    const pids = processesOf(this.options.folder)
    for (const pid of pids) sendSignal(pid, signal)
    return pids.length
  }
}
