import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { findBinaries } from '#development/postgres/start-postgres.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { PostgresPair } from '../../harness/engines/postgres-pair.ts'
import type { PostgresServer } from '../../harness/engines/postgres-server.ts'
import { eventually } from '../../harness/eventually.ts'

const run = promisify(execFile)

describe('The settings of deploy/postgresql', () => {
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
    const pair = await PostgresPair.open(folder.path)
    closing.defer(() => pair.close())
    const { primary, standby: restored } = pair
    const archive = join(folder.path, 'archive')
    await mkdir(archive)
    const { uid, gid } = primary.options.account
    if (uid !== undefined) await chown(archive, uid, gid!)
    await include(primary, 'archive.conf', archive)
    await primary.stop()
    await primary.start()
    await primary.query('create table event (name text)')

    await pair.copyCluster()
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
