import { setImmediate as sent } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { connect, connectionOptions } from '#domain/postgres/index.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { failureOf } from '../administration/rejected.ts'

/** Of a statement: a new connection on a busy machine has it, too. */
const deadlineMs = 1_000

describe('A connection to PostgreSQL', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.close())

  /** A network between the test and the server. */
  async function openRelay() {
    const url = new URL(database.url)
    const network = await TcpProxy.open(Number(url.port))
    url.port = String(network.port)
    return { network, url: url.href, [Symbol.asyncDispose]: () => network.close() }
  }

  it('leaves its pool when a statement of a transaction fails because its server is read-only', async () => {
    const { orm, close } = await openDatabase({ url: database.url, poolSize: 2 })
    try {
      const pids = new Set<number>()
      for (let round = 0; round < 3; round++) {
        const error = await orm.em
          .fork()
          .transactional(async em => {
            const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid')
            pids.add(row!.pid)
            await em.execute('set transaction read only')
            await em.execute('create table never (id int)')
          })
          .catch((error: Error) => error)
        expect(error).to.be.instanceOf(Error)
      }
      expect(pids.size).to.equal(3)
    } finally {
      await close()
    }
  })

  it('is closed at the deadline of a statement, and its place in the pool is free', async () => {
    await using pool = poolOf(database.url)
    const error = await pool.query('select pg_sleep(60)').catch((error: NodeJS.ErrnoException) => error)
    expect(error).to.have.property('code', 'ETIMEDOUT')
    expect(await eventually(() => pidIn(pool))).to.be.a('number')
  })

  it('is closed at the deadline also in a transaction, whose rollback waits for nothing', async () => {
    const { orm, close } = await openDatabase({ url: database.url, poolSize: 1, deadlineMs })
    try {
      const sleep = () => orm.em.fork().transactional(em => em.execute('select pg_sleep(60)'))
      const startedAt = performance.now()
      expect(await sleep().catch(error => error)).to.be.instanceOf(Error)
      // The server ends a statement after 30 s.
      expect(performance.now() - startedAt).to.be.below(25_000)
      const again = await eventually(() => orm.em.fork().execute('select 1 as one'))
      expect(again).to.deep.equal([{ one: 1 }])
    } finally {
      await close()
    }
  })

  it('stays while a statement runs that may take longer, by its name', async () => {
    await using pool = poolOf(database.url)
    const { rows } = await pool.query({ name: 'count-slowly', text: 'select 1 as count, pg_sleep(1.2)' })
    expect(rows[0]).to.include({ count: 1 })
  })

  it('stays when its answer arrives in time, while the process pauses', async () => {
    await using pool = poolOf(database.url)
    const before = await pidIn(pool)
    const asked = pool.query('select pg_sleep(0.1)')
    await sent()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
    await asked
    expect(await pidIn(pool)).to.equal(before)
  })

  it('is closed when it was idle while another one got no answer, so that no request has to wait on it', async () => {
    await using relay = await openRelay()
    await using pool = poolOf(relay.url)
    const pids = await Promise.all(
      [1, 2, 3].map(() => pool.query('select pg_backend_pid() as pid, pg_sleep(0.1)')),
    )
    expect(new Set(pids.map(({ rows }) => rows[0].pid)).size).to.equal(3)
    relay.network.set('cut')
    const error = await pool.query('select 1').catch((error: NodeJS.ErrnoException) => error)
    expect(error).to.have.property('code', 'ETIMEDOUT')
    await eventually(() => pool.totalCount === 0)
    relay.network.set('open')
    expect(await eventually(() => pidIn(pool))).to.be.a('number')
  })

  it('that fails leaves nothing behind', async () => {
    const connection = connectionOptions(Object.assign(new URL(database.url), { pathname: '/missing' }).href)
    expect(await failureOf(connect(connection))).to.have.property('code', '3D000')
    await eventually(() => connection.openClients.size === 0)
  })

  it('is not made to a server that accepts no writes, which the error names', async () => {
    const url = `${database.url}?options=-c%20default_transaction_read_only%3Don`
    for (const work of [() => connect(connectionOptions(url)), () => openDatabase({ url })]) {
      const error = await work().catch((error: Error) => error)
      expect(error).to.have.property('name', 'ServerRoleError')
      expect(String(error)).to.match(/the server 127\.0\.0\.1:\d+ is read-only$/)
    }
  })
})

function poolOf(url: string): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool(connectionOptions(url, { deadlineMs }))
  pool.on('error', () => {})
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() })
}

async function pidIn(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
