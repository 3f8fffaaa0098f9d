import { expect } from 'chai'
import pg from 'pg'
import { advisoryLocks } from '#domain/database/advisory-locks.ts'
import { knownMigrations } from '#domain/schema/schema-status.ts'
import { operate as operateOn } from '#test/harness/processes/operate.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { fatalMessages } from '#test/harness/processes/service-process.ts'
import { createForeignDatabase, createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { queryIn } from '../../server/query-in.ts'

const encryptionKey = Buffer.alloc(32, 7).toString('base64')

describe('A start on an external database', () => {
  const fixture = serviceFixture()
  let database: TestDatabase
  let client: pg.Client
  let env: Record<string, string>
  beforeEach(async () => {
    database = await createTestDatabase()
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY: encryptionKey, ROLE: 'worker' }
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await database.close()
  })

  it('applies pending migrations, after it has waited for another process that migrates', async () => {
    await emptySchema()
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    const service = await fixture.launch({ name: 'waiting', env })
    await service.says(/"msg":"Waiting for another process to finish migrating"/)
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations])
    await service.up()
    expect(service.out().match(/Waiting for another process/g)).to.have.length(1)
    const { rows } = await client.query('select name from mikro_orm_migrations')
    expect(rows.map(({ name }) => name)).to.deep.equal(knownMigrations())
    service.signal('SIGTERM')
    await service.ended
  })

  it('stops if it would have to migrate a database that is not in UTF8, which it leaves empty', async () => {
    const foreign = await createForeignDatabase('LATIN1')
    try {
      const message = await rejectedStart({ ...env, DATABASE_URL: foreign.url })
      expect(message).to.match(
        /^DATABASE_URL: the database \w+ has the encoding LATIN1, .*template template0/,
      )
      expect(await queryIn(foreign.url, `select from pg_tables where schemaname = 'public'`)).to.deep.equal(
        [],
      )
    } finally {
      await foreign.close()
    }
  })

  it('works in a schema other than public, with the operator’s commands, and again without migrating', async () => {
    await client.query('drop schema public cascade; create schema avs')
    const url = `${database.url}?options=-c%20search_path%3Davs`
    for (const [name, MIGRATE_ON_START] of [
      ['first', 'true'],
      ['second', 'false'],
    ] as const) {
      const service = await fixture.start({ name, env: { ...env, DATABASE_URL: url, MIGRATE_ON_START } })
      expect(await operateOn(service, 'database', 'status')).to.deep.include({ pending: [] })
      const { plan } = await operateOn(service, 'tenant', 'create', '--name', name)
      expect(plan).to.equal('default')
      service.signal('SIGTERM')
      expect(await service.ended).to.include({ code: 0, err: '' })
    }
    const { rows } = await client.query('select name from avs.tenant')
    expect(rows).to.deep.include.members([{ name: 'first' }, { name: 'second' }])
  })

  /** The only reason that is logged by a start that stops with code 1. */
  async function rejectedStart(settings: Record<string, string>): Promise<string> {
    const { ended } = await fixture.launch({ name: 'rejected', env: settings })
    const { code, out, err } = await ended
    expect([code, err]).to.deep.equal([1, ''])
    const [reason, ...more] = fatalMessages(out)
    expect(more).to.deep.equal([])
    return reason!
  }

  async function emptySchema(): Promise<void> {
    await client.query('drop schema public cascade')
    await client.query('create schema public')
  }
})
