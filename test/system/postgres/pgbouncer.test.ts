import { expect } from 'chai'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { type OpenOptions, openDatabase } from '#domain/schema/open-database.ts'
import type { Check } from '#operator/doctor/check.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import {
  documentedSettings,
  type Pgbouncer,
  type PgbouncerOptions,
  pgbouncer,
  pgbouncerWithStatements,
  startPgbouncer,
} from '../../harness/engines/pgbouncer.ts'
import { describeWith } from '../../harness/system-program.ts'
import { operate } from '../../operator/operate.ts'
import { queryIn } from '../../server/query-in.ts'

const ignore = 'ignore_startup_parameters = statement_timeout,options'

describeWith([pgbouncer], 'PgBouncer', () => {
  const { database, start } = usePooler()

  it('in session mode works for statements, transactions and migrations', async () => {
    const { url } = await start({ mode: 'session', settings: [ignore] })
    await applyMigrations({ url })
    await expectStatementsToWork({ url })
  })

  describeWith([pgbouncerWithStatements], 'in transaction mode with prepared statements', () => {
    const settings = [documentedSettings, 'default_pool_size = 3']

    it('works beside a direct URL for migrations', async () => {
      const { url } = await start({ mode: 'transaction', settings })
      await expectStatementsToWork({ url })
    })

    it('is a fault while the role lacks what PgBouncer does not keep, with the statements that set it', async () => {
      const name = new URL(database().url).pathname.slice(1)
      await queryIn(database().url, `alter database ${name} set extra_float_digits = -15`)
      const env = { DATABASE_DIRECT_URL: database().url }
      const first = await start({ mode: 'transaction', settings })
      const { ok, message } = await diagnosis({ ...env, DATABASE_URL: first.url })
      expect(ok).to.equal(false)
      expect(message).to.include(`alter role postgres set lock_timeout = '3000'`)
      expect(message).to.include(`alter role postgres set extra_float_digits = '1'`)
      expect(message).not.to.match(/DateStyle|TimeZone/)
      for (const [, statement] of message.matchAll(/alter role postgres (set \w+ = '[^']+')/g)) {
        await queryIn(database().url, `alter database ${name} ${statement}`)
      }
      const second = await start({ mode: 'transaction', settings })
      const mended = await diagnosis({ ...env, DATABASE_URL: second.url })
      expect(mended, mended.message).to.include({ ok: true })
    })

    it('keeps how values are written from one transaction to the next, whatever the database says', async () => {
      const name = new URL(database().url).pathname.slice(1)
      await queryIn(database().url, `alter database ${name} set datestyle = 'German'`)
      await queryIn(database().url, `alter database ${name} set timezone = 'Asia/Kathmandu'`)
      const { url } = await start({
        mode: 'transaction',
        settings: [documentedSettings, 'default_pool_size = 2'],
      })
      const { pool, close } = await openDatabase({ url, poolSize: 6 })
      try {
        const text = `select '2026-11-05T10:00:00Z'::timestamptz::text as at, pg_sleep(0.002)`
        const ask = () => pool.query({ name: 'at', text })
        const answers = await Promise.all(Array.from({ length: 60 }, ask))
        const written = new Set(answers.map(({ rows }) => (rows[0] as { at: string }).at))
        expect([...written]).to.deep.equal(['2026-11-05 10:00:00+00'])
      } finally {
        await close()
      }
    })
  })
})

/** What `operator doctor` says about the settings of the role. */
async function diagnosis(env: Record<string, string>): Promise<Check> {
  const { out } = await operate(env, 'doctor', '--json')
  const { checks } = JSON.parse(out) as { checks: Check[] }
  return checks.find(({ name }) => name === 'database-settings')!
}

/** A database for the tests of the surrounding `describe`. What a test starts is closed after it. */
function usePooler() {
  let database: TestDatabase
  let closing = new AsyncDisposableStack()
  before(async () => {
    database = await createTestDatabase()
  })
  afterEach(async () => {
    await closing.disposeAsync()
    closing = new AsyncDisposableStack()
  })
  after(() => database.close())
  return {
    database: () => database,
    async start(options: Omit<PgbouncerOptions, 'url'>): Promise<Pgbouncer> {
      const pooler = await startPgbouncer({ url: database.url, ...options })
      closing.defer(() => pooler.close())
      return pooler
    },
  }
}

/** Many at a time, on more connections than the pooler has servers. */
async function expectStatementsToWork(options: OpenOptions): Promise<void> {
  const { orm, pool, close } = await openDatabase({ ...options, poolSize: 8 })
  try {
    const text = 'select $1::int as number, pg_sleep(0.001)'
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    const results = await Promise.all(
      numbers.map(async number => {
        const { rows } = await pool.query({ name: `numbers_${number % 5}`, text, values: [number] })
        return (rows[0] as { number: number }).number
      }),
    )
    expect(results).to.deep.equal(numbers)
    const sums = numbers.slice(0, 20).map(number =>
      orm.em.fork().transactional(async em => {
        await em.execute('create temp table sums (value int) on commit drop')
        await em.execute('insert into sums values (?), (?)', [number, number])
        const [row] = await em.execute<{ sum: number }[]>('select sum(value)::int as sum from sums')
        return row!.sum
      }),
    )
    expect(await Promise.all(sums)).to.deep.equal(numbers.slice(0, 20).map(number => 2 * number))
  } finally {
    await close()
  }
}
