import { expect } from 'chai'
import pg from 'pg'
import { programVersion } from '#domain/schema/program-version.ts'
import { knownMigrations } from '#domain/schema/schema-status.ts'
import { createForeignDatabase } from '../harness/database.ts'
import { queryIn } from '../server/query-in.ts'
import { type OperatorOnDatabase, openOperator, operate } from './operate.ts'

describe('the operator’s commands on an external database', () => {
  let operator: OperatorOnDatabase
  let client: pg.Client
  beforeEach(async () => {
    operator = await openOperator()
    client = new pg.Client({ connectionString: operator.url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await operator.close()
  })

  const known = knownMigrations()

  it('show and apply pending migrations', async () => {
    await emptySchema()
    const empty = { program: programVersion, oldestProgram: null, applied: [], pending: known, newer: [] }
    expect(await operator.json('database', 'status')).to.deep.equal(empty)
    expect(await operator.json('database', 'migrate')).to.deep.equal({ applied: known })
    const current = { ...empty, oldestProgram: '1.0.0', applied: known, pending: [] }
    expect(await operator.json('database', 'status')).to.deep.equal(current)
    expect(await operator.json('database', 'migrate')).to.deep.equal({ applied: [] })
  })

  it('apply no migration except by database migrate, and stop with one line that names it', async () => {
    await emptySchema()
    for (const command of [
      ['tenant', 'list'],
      ['tenant', 'create', '--name', 'Shop'],
      ['plan', 'list'],
    ]) {
      const { error, message } = await operator.error(...command)
      expect(error).to.equal('START_ERROR')
      expect(message)
        .to.include(`pending: ${known.join(', ')}`)
        .and.to.include('database migrate')
    }
    const { rows } = await client.query(`select from pg_tables where schemaname = 'public'`)
    expect(rows).to.deep.equal([])
  })

  it('work where the schema is newer than the program and allows it, and migrate nothing', async () => {
    await applyNewer(programVersion)
    expect(await operator.json('tenant', 'list')).to.deep.equal([])
    expect(await operator.json('database', 'status')).to.deep.equal({
      program: programVersion,
      oldestProgram: programVersion,
      applied: [...known, 'MigrationOfTheFuture'],
      pending: [],
      newer: ['MigrationOfTheFuture'],
    })
    const { code, out, err } = await operator.text('database', 'migrate', '--json')
    expect({ code, out }).to.deep.equal({ code: 0, out: '{"applied":[]}\n' })
    expect(err).to.equal('The schema is newer than this program, which can run on it: MigrationOfTheFuture\n')
  })

  it('stop with one line where the schema needs a newer program, which database status names', async () => {
    await applyNewer('99.1.0')
    const sentence = `The database schema needs at least version 99.1.0 of this program; this is ${programVersion}, which does not know MigrationOfTheFuture`
    for (const command of [
      ['tenant', 'list'],
      ['database', 'migrate'],
    ]) {
      const { error, message } = await operator.error(...command)
      expect({ error, message }).to.deep.equal({ error: 'START_ERROR', message: sentence })
    }
    expect(await operator.json('database', 'status')).to.deep.include({
      oldestProgram: '99.1.0',
      newer: ['MigrationOfTheFuture'],
    })
    const { code, out } = await operator.text('database', 'status')
    expect(code).to.equal(0)
    expect(out)
      .to.match(/^Oldest program +99\.1\.0$/m)
      .and.to.include(`\n${sentence}\n`)
  })

  for (const encoding of ['LATIN1', 'SQL_ASCII', 'EUC_JP']) {
    it(`refuse to migrate a database in ${encoding}, which the doctor finds, with the remedy`, async () => {
      const foreign = await createForeignDatabase(encoding)
      try {
        const name = new URL(foreign.url).pathname.slice(1)
        const sentence = `DATABASE_URL: the database ${name} has the encoding ${encoding}, in which not every text can be stored: use one made with create database NAME encoding 'UTF8' locale 'C' template template0, and restore a pg_dump of this one if it has data`
        const { code, out, err } = await operate({ DATABASE_URL: foreign.url }, 'database', 'migrate')
        expect({ code, out, err }).to.deep.equal({ code: 1, out: '', err: `${sentence}\n` })
        expect(await queryIn(foreign.url, `select from pg_tables where schemaname = 'public'`)).to.deep.equal(
          [],
        )
        const diagnosis = await operate({ DATABASE_URL: foreign.url }, 'doctor', '--json')
        expect(diagnosis.code).to.equal(1)
        const faults = JSON.parse(diagnosis.out).checks.filter(({ ok }: { ok: boolean }) => !ok)
        expect(faults).to.deep.include({ name: 'database-settings', ok: false, message: sentence })
      } finally {
        await foreign.close()
      }
    })
  }

  /** A migration of a newer program. */
  async function applyNewer(oldestProgram: string): Promise<void> {
    await client.query(`insert into mikro_orm_migrations (name) values ('MigrationOfTheFuture')`)
    await client.query(`update service_setting set value = '${oldestProgram}' where name = 'oldest_program'`)
  }

  async function emptySchema(): Promise<void> {
    await client.query('drop schema public cascade')
    await client.query('create schema public')
  }
})
