import { execFile } from 'node:child_process'
import { chown, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { initializeCluster } from '#development/postgres/initialize-cluster.ts'
import type { PostgresServer } from './postgres-server.ts'
import { TcpProxy } from './tcp-proxy.ts'

const run = promisify(execFile)

/**
 * A primary and a synchronous standby, with the duties of a cluster manager: it promotes, keeps an old primary from
 * coming back, builds the standby anew, and makes commits wait for it only while it is there.
 */
export class PostgresPair {
  primary: PostgresServer
  standby: PostgresServer
  /** The network from the standby to its primary. */
  readonly replication: TcpProxy
  /** Called when another server has become the primary. */
  onPromoted: () => void = () => undefined

  private constructor(primary: PostgresServer, standby: PostgresServer, replication: TcpProxy) {
    this.primary = primary
    this.standby = standby
    this.replication = replication
  }

  /**
   * Starts the primary on a new cluster, or on a copy of `prepared`, which is the data folder of an empty one.
   * There is no standby yet.
   */
  static async open(servers: [PostgresServer, PostgresServer], prepared?: string): Promise<PostgresPair> {
    const [primary, standby] = servers
    const { account, program, password } = primary.options
    if (prepared === undefined) {
      const initdb = join(program, '../initdb')
      await initializeCluster(primary.dataFolder, { initdb, account, password, durable: false })
    } else {
      await run('cp', ['-a', prepared, primary.dataFolder])
    }
    const pair: { current?: PostgresPair } = {}
    const replication = await TcpProxy.open({ target: () => pair.current?.primary.options.port })
    pair.current = new PostgresPair(primary, standby, replication)
    await primary.configure({ synchronous: false })
    await primary.start()
    return pair.current
  }

  /** Makes the standby from a base backup of the primary, and commits wait for it from then on. */
  async buildStandby(): Promise<void> {
    const { primary, standby } = this
    await standby.kill()
    await rm(standby.dataFolder, { recursive: true, force: true })
    await this.#copyCluster()
    await writeOwned(standby, 'standby.signal', '')
    await standby.configure({ synchronous: false, upstreamPort: this.replication.port })
    await standby.start()
    await this.untilStreaming()
    await primary.configure({ synchronous: true })
  }

  /** Resolves when the standby receives the primary's changes. */
  async untilStreaming(timeoutMs = 30_000): Promise<void> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const standbys = await this.primary.query(`select from pg_stat_replication where state = 'streaming'`)
      if (standbys.length > 0) return
      if (performance.now() > deadline) throw new Error('The standby does not stream.')
      await wait(50)
    }
  }

  /** Resolves when queries on the standby see everything that is committed by now. */
  async untilReplayed(timeoutMs = 30_000): Promise<void> {
    const deadline = performance.now() + timeoutMs
    const [{ now } = { now: '' }] = await this.primary.query<{ now: string }>(
      'select pg_current_wal_lsn() as now',
    )
    const replayed = 'select from pg_stat_replication where replay_lsn >= $1'
    while ((await this.primary.query(replayed, [now])).length === 0) {
      if (performance.now() > deadline) throw new Error('The standby does not replay.')
      await wait(50)
    }
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
    this.onPromoted()
  }

  /** After a fast shutdown of the old primary, which has sent everything, it can follow the new one as it is. */
  async followNewPrimary(): Promise<void> {
    await writeOwned(this.standby, 'standby.signal', '')
    await this.standby.configure({ synchronous: false, upstreamPort: this.replication.port })
    await this.standby.start()
    await this.untilStreaming()
    await this.primary.configure({ synchronous: true })
  }

  async close(): Promise<void> {
    await Promise.all([this.primary.kill(), this.standby.kill()])
    await this.replication.close()
    await Promise.all([this.primary, this.standby].map(({ options }) => options.volume.close()))
  }

  /** A base backup by PostgreSQL's low-level interface, which needs no program but `cp`. */
  async #copyCluster(): Promise<void> {
    const { primary, standby } = this
    const session = await primary.connect()
    try {
      await session.query(`select pg_backup_start('standby', true)`)
      // Files may vanish while they are copied, which the backup label makes harmless.
      await run('cp', ['-a', primary.dataFolder, standby.dataFolder]).catch(ignoreVanishedFiles)
      const { rows } = await session.query('select labelfile from pg_backup_stop(false)')
      await clean(standby)
      await writeOwned(standby, 'backup_label', rows[0].labelfile)
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
  await rm(join(dataFolder, 'postmaster.pid'), { force: true })
  await rm(join(dataFolder, 'postmaster.opts'), { force: true })
  await rm(join(dataFolder, 'standby.signal'), { force: true })
  for (const name of await readdir(join(dataFolder, 'pg_wal'))) {
    if (/^[0-9A-F]{24}$/.test(name)) await rm(join(dataFolder, 'pg_wal', name))
  }
}

async function writeOwned(
  { dataFolder, options }: PostgresServer,
  name: string,
  content: string,
): Promise<void> {
  const file = join(dataFolder, name)
  await writeFile(file, content, { mode: 0o600 })
  if (options.account.uid !== undefined) await chown(file, options.account.uid, options.account.gid!)
}
