import { expect } from 'chai'
import { connect, connectionOptions, sessionSettings } from '#domain/postgres/index.ts'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { poolSettings } from '#domain/schema/orm.config.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { hostileSettings, makeHostile } from '../../harness/hostile-settings.ts'
import { outcomeOf } from '../../harness/system-program.ts'
import { queryIn } from '../../server/query-in.ts'

/** Starts, results, polls, tokens, keys, deliveries, tasks, the console and the operator's commands, each with its dates. */
const core = [
  'console-api/csv',
  'console-api/exports',
  'console-api/verifications',
  'domain/administration/api-keys',
  'domain/administration/audit-events',
  'domain/administration/usage',
  'domain/verification/completion',
  'domain/verification/polling',
  'domain/verification/retention',
  'domain/verification/statements',
  'operator/commands',
  'operator/read-commands',
  'rest/callback-results',
  'rest/start',
  'rest/status',
  'rest/validate',
  'server/status-notifications',
  'server/tasks',
  'server/webhooks/queue/attempts',
].map(name => `test/${name}.test.ts`)

/** Use connections of their own, which have the hostile settings. */
const ownConnections = 'a locked table is left|need no rights but those|look up each row by its key'

const current = 'select name, setting from pg_settings where name = any($1)'

type Rows = { name: string; setting: string }[]

function settings(rows: Rows): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

describe('A database that gives its connections hostile settings', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase({ isOrdinary: true })
    await makeHostile(database.url)
  })
  afterEach(() => database.close())

  it('gives them to connections that set none', async () => {
    const names = Object.keys({ ...sessionSettings, ...poolSettings })
    const given = settings((await queryIn(database.url, current, [names])) as Rows)
    const changed = names.filter(name => name in hostileSettings || name.toLowerCase() in hostileSettings)
    expect(changed).to.include.members(Object.keys(sessionSettings))
    for (const name of changed)
      expect(given[name], name).not.to.equal({ ...sessionSettings, ...poolSettings }[name])
  })

  it('has them on no connection of the service', async () => {
    const names = Object.keys({ ...sessionSettings, ...poolSettings })
    await using closing = new AsyncDisposableStack()
    const opened = await openDatabase({ url: database.url })
    closing.defer(opened.close)
    const { rows: pooled } = await opened.pool.query<Rows[number]>(current, [names])
    expect(settings(pooled)).to.deep.equal({ ...sessionSettings, ...poolSettings })
    const options = connectionOptions(database.url)
    const client = await connect(options)
    closing.defer(() => client.close())
    const { rows } = await client.query<Rows[number]>(current, [names])
    expect(settings(rows)).to.include(sessionSettings)
  })

  it('makes no commit that a crash could lose, and keeps a choice of the operator that loses none', async () => {
    const level = async () => {
      const client = await connect(connectionOptions(database.url))
      const { rows } = await client.query('show synchronous_commit')
      await client.close()
      return rows[0].synchronous_commit
    }
    const name = new URL(database.url).pathname.slice(1)
    await queryIn(database.url, `alter role current_user in database ${name} reset synchronous_commit`)
    await queryIn(database.url, `alter database ${name} set synchronous_commit = off`)
    expect(await level()).to.equal('on')
    await queryIn(database.url, `alter database ${name} set synchronous_commit = remote_apply`)
    expect(await level()).to.equal('remote_apply')
  })

  it('is migrated to the same schema', async () => {
    const ordinary = await createTestDatabase({ isOrdinary: true })
    try {
      await queryIn(database.url, 'drop schema public cascade; create schema public')
      await applyMigrations({ url: database.url })
      expect(await describeSchema(database.url)).to.deep.equal(await describeSchema(ordinary.url))
    } finally {
      await ordinary.close()
    }
  })

  it('changes nothing that the service answers, stores, sends or prints', async () => {
    const mocha = ['node_modules/mocha/bin/mocha.js', ...core, '--grep', ownConnections, '--invert']
    const env = { ...process.env, HOSTILE_DATABASE: 'true' }
    const { code, stdout } = await outcomeOf(process.execPath, mocha, { env, maxBuffer: 2 ** 26 })
    expect(code, String(stdout).slice(-10_000)).to.equal(0)
    expect(Number(/(\d+) passing/.exec(String(stdout))?.[1])).to.be.above(200)
  }).timeout(300_000)
})

/** Columns, indexes, constraints and functions, in the form of a connection with the service's settings. */
async function describeSchema(url: string): Promise<unknown[]> {
  const client = await connect(connectionOptions(url))
  try {
    const { rows } = await client.query(
      `select table_name as name, column_name || ' ' || data_type || coalesce(column_default, '') as text
         from information_schema.columns where table_schema = 'public'
       union all select indexname, indexdef from pg_indexes where schemaname = 'public'
       union all select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
       union all select proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
       order by 1, 2`,
    )
    expect(rows.length).to.be.above(100)
    return rows
  } finally {
    await client.close()
  }
}
