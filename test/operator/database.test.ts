import { expect } from 'chai'
import pg from 'pg'
import { advisoryLocks } from '#domain/database/advisory-locks.ts'
import { knownMigrations } from '#domain/schema/schema-status.ts'
import { eventually } from '../harness/eventually.ts'
import { type OperatorOnDatabase, openOperator } from './operate.ts'

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
    expect(await operator.json('database', 'status')).to.deep.equal({ pending: known })
    expect(await operator.json('database', 'migrate')).to.deep.equal({ applied: known })
    expect(await operator.json('database', 'status')).to.deep.equal({ pending: [] })
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

  it('stop with one line where the schema is newer than the program', async () => {
    await client.query(`insert into mikro_orm_migrations (name) values ('MigrationOfTheFuture')`)
    for (const command of [
      ['tenant', 'list'],
      ['database', 'migrate'],
      ['database', 'status'],
    ]) {
      const { error, message } = await operator.error(...command)
      expect(error).to.equal('START_ERROR')
      expect(message).to.include('newer than this program').and.to.include('MigrationOfTheFuture')
    }
  })

  it('say on standard error that they wait for another process that migrates', async () => {
    await emptySchema()
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    const result = operator.text('database', 'migrate', '--json')
    await eventually(async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where application_name = 'age-verification-operator'
         and datname = current_database() and query like '%pg_try_advisory_lock%' and state = 'idle'`,
      )
      return rows.length > 0
    })
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations])
    const { code, out, err } = await result
    expect({ code, err }).to.deep.equal({ code: 0, err: 'Waiting for another process to finish migrating\n' })
    expect(JSON.parse(out)).to.deep.equal({ applied: known })
  })

  async function emptySchema(): Promise<void> {
    await client.query('drop schema public cascade')
    await client.query('create schema public')
  }
})
