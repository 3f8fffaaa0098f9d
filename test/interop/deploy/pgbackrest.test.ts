import { globSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { serverAccount } from '#development/postgres/account.ts'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { codeBlocks } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

/** Debian's pgBackRest knows Debian's PostgreSQL, and no newer one. */
const binaries = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
const programs = {
  isMissing: binaries === undefined || findProgram('pgbackrest') === undefined,
  reason: 'no pgbackrest or complete PostgreSQL (apt-get install pgbackrest postgresql)',
}

describeWith([programs], 'pgBackRest', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let asPostgres: (script: string) => Promise<string>

  before('make an empty cluster with the documented settings', async () => {
    const account = await serverAccount()
    const path = (name: string) => join(folder.path, name)
    const port = await freePort()
    await chmod(folder.path, 0o711)
    await mkdir(path('own'))
    if (account.uid !== undefined) await chown(path('own'), account.uid, account.gid!)
    await writeFile(path('pgbackrest.conf'), await readSettings('pgbackrest.conf', port))
    const env = {
      PATH: `${binaries}:${process.env.PATH}`,
      LC_ALL: 'C',
      PGDATA: path('own/data'),
      PGHOST: path('own'),
      PGPORT: `${port}`,
      PGUSER: 'postgres',
      PGDATABASE: 'postgres',
      PGBACKREST_CONFIG: path('pgbackrest.conf'),
      PGBACKREST_LOG_PATH: path('own'),
      PGBACKREST_LOCK_PATH: path('own'),
    }
    asPostgres = async script => {
      const { stdout } = await runProgram('/bin/sh', ['-ec', script], { ...account, cwd: '/', env })
      return stdout.trim()
    }
    await asPostgres('initdb -U postgres')
    const settings = [
      await readFile('deploy/postgresql/pgbackrest-archive.conf', 'utf8'),
      `port = ${port}`,
      `unix_socket_directories = '${path('own')}'`,
      "listen_addresses = ''",
    ]
    await asPostgres(`cat >>$PGDATA/postgresql.conf <<'END'\n${settings.join('\n')}\nEND`)
  })
  after(() => asPostgres('pg_ctl -m immediate stop || true'))

  it('backs up and restores the state of a point in time, by the commands of docs/backup.md', async () => {
    const [backUp, restore] = codeBlocks('docs/backup.md').filter(({ name }) => name === 'run')
    const query = (text: string) => asPostgres(`psql -XAtc "${text}"`)
    const start = () => asPostgres('pg_ctl -w -l $PGHOST/server.log start >$PGHOST/start.log')
    await start()
    await asPostgres(backUp!.code)
    await query(`create table event (name text); insert into event values ('before')`)
    // It knows when a backup ended by the second.
    await query('select pg_sleep(2)')
    const target = await query('select clock_timestamp()')
    await query(`insert into event values ('after')`)
    await query('select pg_switch_wal()')
    await asPostgres('pg_ctl -w stop')
    await asPostgres(restore!.code.replace(/(?<=--target=')[^']+/, target))
    await start()
    await eventually(async () => (await query('select pg_is_in_recovery()')) === 'f')
    expect(await query('select name from event')).to.equal('before')
  })

  async function readSettings(name: string, port: number): Promise<string> {
    const documented = await readFile(`deploy/postgresql/${name}`, 'utf8')
    const ours = documented
      .replace(/(?<=repo1-path=).*/, join(folder.path, 'own/repository'))
      .replace(/(?<=pg1-path=).*/, join(folder.path, 'own/data'))
    return `${ours}pg1-port=${port}\npg1-socket-path=${join(folder.path, 'own')}\n`
  }
})
