import pg from 'pg'
import { pendingMigrations } from '#domain/schema/apply-migrations.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'

/** A command of the operator exits when its last connection is closed. */
describe('No connection is left open', () => {
  let database: TestDatabase
  let observer: pg.Client
  before(async () => {
    database = await createTestDatabase()
    observer = new pg.Client({ connectionString: database.url })
    await observer.connect()
  })
  after(async () => {
    await observer?.end()
    await database?.close()
  })

  async function openConnections(applicationName: string): Promise<number> {
    const { rows } = await observer.query(
      'select count(*)::int as open from pg_stat_activity where application_name = $1',
      [applicationName.slice(0, 63)],
    )
    return rows[0].open
  }

  const work: Record<string, (url: string, applicationName: string) => Promise<unknown>> = {
    'when a database is closed that was not used': async (url, applicationName) =>
      (await openDatabase({ url, applicationName })).close(),
    'when a database is closed that only prepared statements used': async (url, applicationName) => {
      const { pool, close } = await openDatabase({ url, applicationName })
      await pool.query({ name: 'one', text: 'select 1', values: [] })
      await close()
    },
    'when a database is closed that the ORM used': async (url, applicationName) => {
      const { orm, close } = await openDatabase({ url, applicationName })
      await orm.em.fork().execute('select 1')
      await close()
    },
    'after looking for pending migrations': (url, applicationName) =>
      pendingMigrations({ url, applicationName }),
  }

  for (const [title, run] of Object.entries(work)) {
    it(title, async () => {
      await run(database.url, title)
      // A pool closes an idle connection after 10 s.
      await eventually(async () => (await openConnections(title)) === 0, { timeoutMs: 5_000 })
    })
  }
})
