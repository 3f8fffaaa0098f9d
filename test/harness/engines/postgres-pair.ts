import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serverAccount } from '#development/postgres/account.ts'
import { initializeCluster } from '#development/postgres/initialize-cluster.ts'
import { findBinaries } from '#development/postgres/start-postgres.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { PostgresServer } from './postgres-server.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { openVolume } from './volume.ts'

const run = promisify(execFile)
const patiently = { timeoutMs: 30_000 }

/** The data folder of an empty cluster to copy, and its superuser's password. */
export interface PreparedCluster {
  cluster: string
  password: string
}

/**
 * A primary and a synchronous standby, with the duties of a cluster manager: it promotes, keeps an old primary from
 * coming back, builds the standby anew, and makes commits wait for it only while it is there.
 */
export class PostgresPair {
  primary: PostgresServer
  standby: PostgresServer
  /** The network from the standby to its primary. */
  readonly replication: TcpProxy
  /** Where an address that moves leads to, while that is not the primary. */
  addressed: PostgresServer | undefined

  private constructor(primary: PostgresServer, standby: PostgresServer, replication: TcpProxy) {
    this.primary = primary
    this.standby = standby
    this.replication = replication
    replication.target = () => this.primary.options.port
  }

  /** Starts the primary on a new cluster in the folder, or on a copy of a prepared one. There is no standby yet. */
  static async open(folder: string, prepared?: PreparedCluster): Promise<PostgresPair> {
    const { initdb, postgres: program } = await findBinaries()
    const account = await serverAccount()
    const password = prepared?.password ?? randomBytes(12).toString('hex')
    const create = async (name: string) => {
      const volume = await openVolume(join(folder, `postgres-${name}`))
      const port = await freePort()
      const network = await TcpProxy.open(port)
      const logFile = join(folder, `postgres-${name}.log`)
      return new PostgresServer({ name, program, account, volume, port, network, password, logFile })
    }
    const primary = await create('a')
    if (prepared) await run('cp', ['-a', prepared.cluster, primary.dataFolder])
    else await initializeCluster(primary.dataFolder, { initdb, account, password, durable: false })
    const replication = await TcpProxy.open(() => undefined)
    const pair = new PostgresPair(primary, await create('b'), replication)
    await primary.configure({ synchronous: false })
    await primary.start()
    return pair
  }

  get servers(): PostgresServer[] {
    return [this.primary, this.standby].toSorted((a, b) => (a.options.name < b.options.name ? -1 : 1))
  }

  /** Makes the standby from a base backup of the primary, and commits wait for it from then on. */
  async buildStandby(): Promise<void> {
    const { standby } = this
    await standby.kill()
    await rm(standby.dataFolder, { recursive: true, force: true })
    await this.copyCluster()
    await this.followPrimary()
  }

  /** Resolves when the standby receives the primary's changes. */
  async untilStreaming(): Promise<void> {
    const streaming = `select from pg_stat_replication where state = 'streaming'`
    await eventually(async () => (await this.primary.query(streaming)).length > 0, patiently)
  }

  /** Commits no longer wait for a standby that is away. */
  async degrade(): Promise<void> {
    await this.primary.configure({ synchronous: false })
  }

  /** The standby becomes the primary. The old one has to have ended, or never comes back. */
  async promoteStandby(): Promise<void> {
    await this.standby.configure({ synchronous: false })
    await this.standby.query('select pg_promote(true, 30)')
    ;[this.primary, this.standby] = [this.standby, this.primary]
  }

  /** After a fast shutdown, which has sent everything, the old primary can follow the new one as it is. */
  async followPrimary(): Promise<void> {
    const { primary, standby, replication } = this
    await standby.writeFile('standby.signal', '')
    await standby.configure({ synchronous: false, upstreamPort: replication.port })
    await standby.start()
    standby.options.network.set('open')
    await this.untilStreaming()
    await primary.configure({ synchronous: true })
  }

  async close(): Promise<void> {
    await Promise.all([this.primary.kill(), this.standby.kill()])
    await this.replication.close()
    for (const { options } of this.servers) {
      await options.network.close()
      await options.volume.close()
    }
  }

  /** A base backup of the primary for the standby, by PostgreSQL's low-level interface, which needs no program but `cp`. */
  async copyCluster(): Promise<void> {
    const { primary, standby } = this
    const session = await primary.connect()
    try {
      await session.query(`select pg_backup_start('standby', true)`)
      // Files may vanish while they are copied, which the backup label makes harmless.
      await run('cp', ['-a', primary.dataFolder, standby.dataFolder]).catch(ignoreVanishedFiles)
      const { rows } = await session.query('select labelfile from pg_backup_stop(false)')
      await clean(standby)
      await standby.writeFile('backup_label', rows[0].labelfile)
    } finally {
      await session.end()
    }
  }
}

function ignoreVanishedFiles(error: Error & { stderr?: string }): void {
  const lines = (error.stderr ?? '').trim().split('\n')
  if (!lines.every(line => line.includes('No such file or directory'))) throw error
}

/** Removes what belongs to the running primary only. */
async function clean({ dataFolder }: PostgresServer): Promise<void> {
  for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal']) {
    await rm(join(dataFolder, name), { force: true })
  }
  for (const name of await readdir(join(dataFolder, 'pg_wal'))) {
    if (/^[0-9A-F]{24}$/.test(name)) await rm(join(dataFolder, 'pg_wal', name))
  }
}
