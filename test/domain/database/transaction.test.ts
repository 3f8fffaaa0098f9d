import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { transaction } from '#domain/database/transaction.ts'
import { DomainError } from '#domain/errors.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import type { Scope } from '#domain/scope.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { failureOf } from '../administration/rejected.ts'

const poolSize = 3

describe('A transaction', () => {
  let server: TestDatabase
  let database: Awaited<ReturnType<typeof openDatabase>>
  let admin: pg.Client
  beforeEach(async () => {
    server = await createTestDatabase()
    database = await openDatabase({ url: server.url, poolSize })
    const maintenance = Object.assign(new URL(server.url), { pathname: 'postgres' })
    admin = new pg.Client({ connectionString: maintenance.href })
    await admin.connect()
  })
  afterEach(async () => {
    await admin.end()
    // A connection that is not returned to its pool keeps this from ending.
    await database.close()
    await server.close()
  })

  for (const [moment, text] of [
    ['in mid-transaction', 'select 1'],
    ['right before the commit', undefined],
  ]) {
    it(`returns its connection to the pool when the server terminates it ${moment}`, async () => {
      for (let round = 0; round <= poolSize; round++) {
        const work = inTransaction(async em => {
          // When it returns, the backend is gone.
          await admin.query('select pg_terminate_backend($1, 5000)', [await pidOf(em)])
          if (text) await em.execute(text)
        })
        expect(await failureOf(work)).to.have.property('code', 'DATABASE_ERROR')
      }
      await expectWholePool()
    })
  }

  it('throws DATABASE_ERROR when the database refuses connections', async () => {
    const name = new URL(server.url).pathname.slice(1)
    await admin.query(`alter database "${name}" allow_connections false`)
    await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      name,
    ])
    // Until the pool has noticed that its idle connections were terminated.
    while (pool().totalCount > 0) await turn()
    const error = await failureOf(inTransaction(async em => await em.execute('select 1')))
    expect(error).to.have.property('code', 'DATABASE_ERROR')
    expect(error).to.be.instanceOf(DomainError)
    await admin.query(`alter database "${name}" allow_connections true`)
  })

  it('throws DATABASE_ERROR when the pool is exhausted', async function () {
    this.timeout(15_000)
    const taken = await Promise.all(Array.from({ length: poolSize }, () => pool().connect()))
    const error = await failureOf(inTransaction(async em => await em.execute('select 1')))
    expect(error).to.have.property('code', 'DATABASE_ERROR')
    for (const connection of taken) connection.release()
    await expectWholePool()
  })

  it('throws what its work throws, and rolls back', async () => {
    const reason = new DomainError('FORBIDDEN')
    const error = await failureOf(
      inTransaction(async em => {
        await em.execute(`insert into plan values ('rolled-back', 1, 1, 1, 1, false)`)
        throw reason
      }),
    )
    expect(error).to.equal(reason)
    const { rows } = await pool().query(`select from plan where name = 'rolled-back'`)
    expect(rows).to.deep.equal([])
    const bug = new TypeError('a programming error')
    expect(await failureOf(inTransaction(() => Promise.reject(bug)))).to.equal(bug)
  })

  type Work = Parameters<typeof transaction>[1]
  type Em = Parameters<Work>[0]

  function inTransaction(work: Work): Promise<unknown> {
    return transaction({ em: database.orm.em.fork() } as unknown as Scope, work)
  }

  function pool(): pg.Pool {
    return database.pool as unknown as pg.Pool
  }

  async function pidOf(em: Em): Promise<number> {
    const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid')
    return row!.pid
  }

  /** All connections can be used at the same time, none is lost, and nothing waits. */
  async function expectWholePool(): Promise<void> {
    const taken = await Promise.all(Array.from({ length: poolSize }, () => pool().connect()))
    for (const connection of taken) await connection.query('select 1')
    for (const connection of taken) connection.release()
    const { totalCount, idleCount, waitingCount } = pool()
    expect({ totalCount, idleCount, waitingCount }).to.deep.equal({
      totalCount: poolSize,
      idleCount: poolSize,
      waitingCount: 0,
    })
  }
})
