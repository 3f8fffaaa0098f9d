import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { serverAccount } from '#development/postgres/account.ts'
import { initializeCluster } from '#development/postgres/initialize-cluster.ts'
import { findBinaries } from '#development/postgres/start-postgres.ts'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { PostgresServer } from '../../harness/engines/postgres-server.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { openVolume } from '../../harness/engines/volume.ts'
import { eventually } from '../../harness/eventually.ts'

const run = promisify(execFile)
const password = 'secret'

describe('The settings of deploy/postgresql', function () {
  this.timeout(60_000)
  const closing = new AsyncDisposableStack()
  after(() => closing.disposeAsync())
  const folder = temporaryFolder()

  for (const name of ['service.conf', 'replication.conf', 'archive.conf', 'point-in-time.conf']) {
    it(`of ${name} are accepted by PostgreSQL`, async () => {
      const { postgres } = await findBinaries()
      const file = resolve('deploy/postgresql', name)
      const args = ['-C', 'archive_timeout', '-c', `config_file=${file}`, '-D', folder.path]
      const { stdout } = await run(postgres, args)
      expect(stdout).to.match(/^\d+\n$/)
    })
  }

  it('archive what is committed, and restore the state of a point in time', async () => {
    await chmod(folder.path, 0o711)
    const account = await serverAccount()
    const archive = join(folder.path, 'archive')
    await mkdir(archive)
    if (account.uid !== undefined) await chown(archive, account.uid, account.gid!)
    const primary = await openServer('primary')
    const { initdb } = await findBinaries()
    await initializeCluster(primary.dataFolder, { initdb, account, password, durable: false })
    await include(primary, 'archive.conf', archive)
    await primary.start()
    await primary.query('create table event (name text)')

    const restored = await openServer('restored')
    await backUp(primary, restored)
    await primary.query(`insert into event values ('before')`)
    const [target] = await primary.query<{ time: string }>('select clock_timestamp()::text as time')
    await primary.query(`insert into event values ('after')`)
    const [last] = await primary.query('select pg_walfile_name(pg_switch_wal()) as wal')
    const archived = 'select from pg_stat_archiver where last_archived_wal >= $1'
    await eventually(async () => (await primary.query(archived, [last!.wal])).length > 0)
    await primary.kill()

    await include(restored, 'point-in-time.conf', archive, target!.time)
    await restored.writeFile('recovery.signal', '')
    await restored.start()
    await eventually(async () => restored.acceptsWrites())
    expect(await restored.query('select name from event')).to.deep.equal([{ name: 'before' }])
  })

  async function openServer(name: string): Promise<PostgresServer> {
    const { postgres: program } = await findBinaries()
    const account = await serverAccount()
    const volume = await openVolume(join(folder.path, name))
    closing.defer(() => volume.close())
    const port = await freePort()
    const network = await TcpProxy.open(port)
    closing.defer(() => network.close())
    const logFile = join(folder.path, `${name}.log`)
    const options = { name, program, account, volume, port, network, password, logFile }
    const server = new PostgresServer(options)
    closing.defer(() => server.kill())
    return server
  }
})

/** Adds a file of deploy/postgresql to the server's settings, with this archive and point in time. */
async function include(server: PostgresServer, name: string, archive: string, time = ''): Promise<void> {
  const documented = await readFile(`deploy/postgresql/${name}`, 'utf8')
  const settings = documented
    .replaceAll('/var/lib/postgresql/archive', archive)
    .replace(/(?<=recovery_target_time = ')[^']+/, time)
  await server.writeFile(name, settings)
  await appendFile(join(server.dataFolder, 'postgresql.conf'), `include '${name}'\n`)
}

/** What `pg_basebackup` does, which not every machine has in the server's version. */
async function backUp(from: PostgresServer, to: PostgresServer): Promise<void> {
  const session = await from.connect()
  try {
    await session.query(`select pg_backup_start('test', true)`)
    await run('cp', ['-a', from.dataFolder, to.dataFolder])
    const { rows } = await session.query('select labelfile from pg_backup_stop(false)')
    await to.writeFile('backup_label', rows[0].labelfile)
  } finally {
    await session.end()
  }
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
    await rm(join(to.dataFolder, name), { recursive: true, force: true })
  await mkdir(join(to.dataFolder, 'pg_wal'), { mode: 0o700 })
  const { uid, gid } = to.options.account
  if (uid !== undefined) await chown(join(to.dataFolder, 'pg_wal'), uid, gid!)
}
