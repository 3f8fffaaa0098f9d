import { expect } from 'chai'
import pg from 'pg'
import { createTaskLock } from '#server/background/task-lock.ts'
import { createTestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { useOpened } from '../harness/use-opened.ts'
import { queryIn } from './query-in.ts'

describe('The lock of a background task', () => {
  const database = useOpened(createTestDatabase)
  const closing = new AsyncDisposableStack()
  after(() => closing.disposeAsync())

  function openPool(): pg.Pool {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    pool.on('error', () => {})
    // Also of one that is in use.
    pool.on('connect', client => client.on('error', () => {}))
    closing.defer(() => pool.end())
    return pool
  }

  it('lets one process at a time run it', async () => {
    const [one, other] = [createTaskLock(openPool()), createTaskLock(openPool())]
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<number>()
    const first = one('a task', () => {
      begun.resolve()
      return mayEnd.promise
    })
    await begun.promise
    expect(await other('a task', async () => 2)).to.equal(undefined)
    expect(await other('another task', async () => 3)).to.equal(3)
    mayEnd.resolve(1)
    expect(await first).to.equal(1)
    expect(await other('a task', async () => 2)).to.equal(2)
  })

  it('ends when its work fails, and when its connection is lost', async () => {
    const lock = createTaskLock(openPool())
    const failure = new Error('failed')
    expect(await lock('a task', () => Promise.reject(failure)).catch(error => error)).to.equal(failure)
    const terminate = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    expect(await lock('a task', () => queryIn(database.url, terminate))).to.have.length(1)
    // PostgreSQL says that it ends the connection before it frees the lock.
    await eventually(() => lock('a task', async () => 1), { until: result => result === 1 })
  })

  it('takes one connection of the pool, however many tasks of the process have their turn', async () => {
    const pool = openPool()
    const lock = createTaskLock(pool)
    const tasks = Array.from({ length: 10 }, (_, index) =>
      lock(`task ${index}`, async () => (await pool.query('select 1 as one')).rows[0].one),
    )
    expect(await Promise.all(tasks)).to.deep.equal(tasks.map(() => 1))
  })
})
