import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { codeBlocks } from '../../documents/samples.ts'
import type { SharedPostgres } from '../../harness/run/postgres.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestTenant, startTestService } from '../../harness/test-service.ts'
import { operate } from '../../operator/operate.ts'
import { queryIn } from '../../server/query-in.ts'
import { psql } from './programs.ts'

describeWith([psql], 'The SQL of deploy/postgresql', () => {
  const folder = temporaryFolder()
  let server: URL
  before('create the roles as compose does', async () => {
    server = new URL((await sharedResource<SharedPostgres>('postgres')).url)
    const secrets = ['owner-password', 'service-password']
    for (const name of secrets) await writeFile(join(folder.path, name), 'secret')
    const script = await readFile('deploy/compose/init-postgres.sh', 'utf8')
    const here = script
      .replace('/run/secrets', folder.path)
      .replace('/etc/age-verification', resolve('deploy/postgresql'))
    await runProgram('/bin/sh', ['-c', here], { env: psqlEnvironment('postgres') })
    const migrated = await operate({ DATABASE_URL: urlOf('verification_owner') }, 'database', 'migrate')
    expect(migrated.code, migrated.err).to.equal(0)
  })
  after(async () => {
    for (const name of ['verification', 'verification_old']) {
      await queryIn(server.href, `drop database if exists ${name} with (force)`)
    }
    await queryIn(server.href, 'drop role if exists verification_2, verification, verification_owner')
  })

  it('lets the service serve, after the owner has migrated', async () => {
    await using closing = new AsyncDisposableStack()
    const service = await startTestService({ databaseUrl: urlOf('verification') })
    closing.defer(service.close)
    const client = tenantClient(service, await createTestTenant(service))
    const { body } = await client.status(await client.decided('approve-adult'))
    expect(body).to.include({ status: 'approved', over18: true })
  })

  it('gives the service the rows of later tables, and no table to create, truncate or drop', async () => {
    await queryIn(urlOf('verification_owner'), 'create table later (id int)')
    await queryIn(
      urlOf('verification'),
      'insert into later values (1); update later set id = 2; delete from later',
    )
    for (const statement of ['create table own (id int)', 'truncate later', 'drop table later']) {
      const rejected = queryIn(urlOf('verification'), statement)
      expect(await rejected.catch(({ code }: { code: string }) => code), statement).to.equal('42501')
    }
  })

  it('has a second role that takes the place of the first, with its connection limit and settings', async () => {
    const settings = [
      'connection limit 50',
      `set search_path = "$user", public`,
      `set application_name = 'it''s = "a"'`,
      'in database verification set work_mem = 8192',
    ]
    for (const setting of settings) await queryIn(server.href, `alter role verification ${setting}`)
    await runFile('second-role.sql', '-v', 'password=secret')
    const ofRole = async (role: string) => {
      const limit = `select rolconnlimit from pg_roles where rolname = '${role}'`
      const set = `select setdatabase, setconfig from pg_db_role_setting where setrole = '${role}'::regrole order by 1`
      return [...(await queryIn(server.href, limit)), ...(await queryIn(server.href, set))]
    }
    const ofFirst = await ofRole('verification')
    expect(ofFirst).to.have.length(3)
    expect(await ofRole('verification_2')).to.deep.equal(ofFirst)
    const sees = `select pg_has_role('verification_2', 'pg_read_all_stats', 'usage') as others`
    expect(await queryIn(server.href, sees)).to.deep.equal([{ others: true }])
    await queryIn(server.href, 'alter role verification nologin')
    const created = (role: string) =>
      operate({ DATABASE_URL: urlOf(role) }, 'tenant', 'create', '--name', 'After the rotation')
    expect(await created('verification_2')).to.include({ code: 0, err: '' })
    expect((await created('verification')).err).to.match(/verification/)
  })

  it('can be asked what docs/postgresql.md asks', async () => {
    const blocks = codeBlocks('docs/postgresql.md').filter(({ language }) => language === 'sh')
    const queries = blocks.flatMap(({ code }) => code.match(/^psql -[cd] .*$/gm) ?? [])
    expect(queries).to.have.length(4)
    const env = { ...psqlEnvironment('verification'), PSQLRC: '/dev/null' }
    for (const query of queries) await runProgram('/bin/sh', ['-euc', query], { env })
  })

  it('puts an empty database of the owner in the place of the old one, which is kept', async () => {
    await runFile('replace-database.sql')
    const tables = `select count(*)::int from pg_tables where tablename = 'tenant'`
    expect(await queryIn(urlOf('verification_owner'), tables)).to.deep.equal([{ count: 0 }])
    const old = urlOf('verification_owner', 'verification_old')
    expect(await queryIn(old, tables)).to.deep.equal([{ count: 1 }])
    const migrated = await operate({ DATABASE_URL: urlOf('verification_owner') }, 'database', 'migrate')
    expect(migrated.code, migrated.err).to.equal(0)
    const rights = `select has_database_privilege('verification', 'verification', 'connect') as service,
      has_database_privilege('verification_2', 'verification', 'connect') as second,
      has_database_privilege('public', 'verification', 'connect') as others`
    expect(await queryIn(server.href, rights)).to.deep.equal([{ service: true, second: true, others: false }])
  })

  function urlOf(role: string, database = 'verification'): string {
    return Object.assign(new URL(server), { username: role, password: 'secret', pathname: `/${database}` })
      .href
  }

  async function runFile(name: string, ...args: string[]): Promise<void> {
    const file = ['-v', 'ON_ERROR_STOP=1', ...args, '-f', `deploy/postgresql/${name}`]
    await runProgram(findProgram('psql')!, file, { env: psqlEnvironment('verification') })
  }

  /** For the superuser of the server. */
  function psqlEnvironment(database: string) {
    const { hostname, port, username, password } = server
    const own = {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: database,
    }
    return { PATH: process.env.PATH, ...own }
  }
})
