import { setTimeout as wait } from 'node:timers/promises'
import { Migration } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { expect } from 'chai'
import pg from 'pg'
import { schemaDifference } from '#development/schema/schema-difference.ts'
import { advisoryLocks } from '#domain/database/advisory-locks.ts'
import { applyMigrations, inspectSchema, pendingMigrations } from '#domain/schema/apply-migrations.ts'
import { migrationList, type NamedMigration } from '#domain/schema/migration-list.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { ormConfig } from '#domain/schema/orm.config.ts'
import { programVersion } from '#domain/schema/program-version.ts'
import { SchemaMigration } from '#domain/schema/schema-migration.ts'
import { knownMigrations, SchemaError } from '#domain/schema/schema-status.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { failureOf } from '../administration/rejected.ts'

/** A migration that runs this SQL. */
function migration(name: string, sql: string, isTransactional = true): NamedMigration {
  class Scratch extends Migration {
    override up(): void {
      this.addSql(sql)
    }

    override isTransactional(): boolean {
      return isTransactional
    }
  }
  return { name, class: Scratch }
}

describe('Migrations', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeEach(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('drop schema public cascade')
    await client.query('create schema public')
  })
  afterEach(async () => {
    await client.end()
    await database.close()
  })

  const apply = (migrations: NamedMigration[], onWait = () => {}) =>
    applyMigrations({ url: database.url, migrations, onWait })
  const first = migration('First', 'create table first (id int)')

  it('are applied once, in order, and reported by name', async () => {
    const second = migration('Second', 'alter table first add column name text')
    expect(await pendingMigrations({ url: database.url, migrations: [first, second] })).to.deep.equal([
      'First',
      'Second',
    ])
    expect(await apply([first])).to.deep.equal(['First'])
    expect(await apply([first, second])).to.deep.equal(['Second'])
    expect(await apply([first, second])).to.deep.equal([])
    expect(await pendingMigrations({ url: database.url, migrations: [first, second] })).to.deep.equal([])
  })

  it('are each committed separately: a failure keeps those before it', async () => {
    const broken = migration('Broken', 'create table broken (id int); select 1 / 0')
    const error = await failureOf(apply([first, broken]))
    expect(error).to.be.instanceOf(SchemaError)
    expect(error.message).to.match(/^The migration Broken failed: [^\n]*division by zero[^\n]*$/)
    expect(await tables()).to.deep.equal(['first', 'mikro_orm_migrations'])
    expect(await pendingMigrations({ url: database.url, migrations: [first, broken] })).to.deep.equal([
      'Broken',
    ])
  })

  it('can create an index concurrently, also while another process waits to migrate', async () => {
    const index = migration('Index', 'create index concurrently first_id on first (id)', false)
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    let waits = 0
    const results = Promise.all([1, 2].map(() => apply([first, index], () => void waits++)))
    await eventually(() => waits === 2)
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations])
    expect((await results).toSorted((a, b) => b.length - a.length)).to.deep.equal([['First', 'Index'], []])
    const { rows } = await client.query(
      `select indisvalid from pg_index where indexrelid = 'first_id'::regclass`,
    )
    expect(rows).to.deep.equal([{ indisvalid: true }])
  })

  it('have no statement timeout, whatever the role or the URL sets, and a lock timeout', async () => {
    const url = `${database.url}?options=-c%20statement_timeout%3D60000`
    const timeouts = migration(
      'Timeouts',
      `create table timeouts as select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
    )
    await applyMigrations({ url, migrations: [timeouts] })
    const { rows } = await client.query('select statement, lock from timeouts')
    expect(rows).to.deep.equal([{ statement: '0', lock: '1s' }])
  })

  it('fail with one line if they cannot lock a table, and change nothing', async () => {
    await apply([first])
    await client.query('begin; select * from first')
    const second = migration('Second', 'alter table first add column name text')
    const error = await failureOf(
      applyMigrations({ url: database.url, migrations: [first, second], lockAttempts: 1 }),
    )
    expect(error.message).to.equal(
      'The migration Second failed: it could not lock its tables within 1 s, because other transactions use them; try again when they have ended',
    )
    await client.query('commit')
    expect(await apply([first, second])).to.deep.equal(['Second'])
  })

  it('wait for another process that migrates, report that once, and continue', async () => {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    let waits = 0
    const applied = apply([first], () => void waits++)
    await eventually(() => waits === 1)
    // More than one further attempt to take the lock fails.
    await wait(1_000)
    expect(await tables()).to.deep.equal([])
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations])
    expect(await applied).to.deep.equal(['First'])
    expect(waits).to.equal(1)
  })

  describe('of a newer program', () => {
    const known = knownMigrations()

    /** What a newer program has applied, on which this version can run. */
    async function applyNewer(oldestProgram: string): Promise<void> {
      class Newer extends SchemaMigration {
        override oldestProgram = oldestProgram
        override up(): void {
          this.addSql('alter table tenant add column colour text')
        }
      }
      await apply([...migrationList, { name: 'Newer', class: Newer }])
    }

    it('are no obstacle where they allow this one, which is told of them', async () => {
      await applyNewer(programVersion)
      const newer: string[][] = []
      const onNewer = (names: string[]) => void newer.push(names)
      expect(await applyMigrations({ url: database.url, onNewer })).to.deep.equal([])
      expect(newer).to.deep.equal([['Newer']])
      expect(await pendingMigrations({ url: database.url })).to.deep.equal([])
      await (await openDatabase({ url: database.url })).close()
      const status = await inspectSchema({ url: database.url })
      expect(status).to.deep.include({ applied: [...known, 'Newer'], newer: ['Newer'] })
      expect(status.oldestProgram).to.equal(programVersion)
    })

    it('stop this one where they need a newer one, whose version they name', async () => {
      await applyNewer('99.10.0')
      await expectRefusal(
        `The database schema needs at least version 99.10.0 of this program; this is ${programVersion}, which does not know Newer`,
      )
    })

    it('stop this one where they say nothing of programs', async () => {
      await apply([...migrationList, first])
      await client.query('delete from service_setting')
      await expectRefusal(
        'The database schema is newer than this program, which does not know First: use the version that applied it, or a newer one',
      )
    })

    it('store the oldest program with themselves, or not at all', async () => {
      class Broken extends SchemaMigration {
        override oldestProgram = '99.0.0'
        override up(): void {
          this.addSql('select 1 / 0')
        }
      }
      await failureOf(apply([...migrationList, { name: 'Broken', class: Broken }]))
      expect((await inspectSchema({ url: database.url })).oldestProgram).to.equal('1.0.0')
    })

    async function expectRefusal(sentence: string): Promise<void> {
      const { url } = database
      for (const work of [applyMigrations, pendingMigrations, openDatabase]) {
        const error = await failureOf(work({ url }))
        expect(error).to.be.instanceOf(SchemaError)
        expect(error.message).to.equal(sentence)
      }
    }
  })

  it('make what the entities are (if not: npm run migration)', async () => {
    await applyMigrations({ url: database.url })
    const orm = await MikroORM.init(ormConfig({ url: database.url }))
    const difference = await schemaDifference(orm).finally(() => orm.close(true))
    expect(difference).to.deep.equal([])
  })

  it('are not applied by opening the database, which names those that are pending', async () => {
    const error = await failureOf(openDatabase({ url: database.url }))
    expect(error).to.be.instanceOf(SchemaError)
    for (const name of knownMigrations()) expect(error.message).to.include(name)
    expect(error.message).to.match(/^The database schema is older than this program; [^\n]*database migrate$/)
    expect(await tables()).to.deep.equal([])
    await applyMigrations({ url: database.url })
    await (await openDatabase({ url: database.url })).close()
  })

  async function tables(): Promise<string[]> {
    const { rows } = await client.query(
      "select tablename from pg_tables where schemaname = 'public' order by 1",
    )
    return rows.map(({ tablename }) => tablename)
  }
})
