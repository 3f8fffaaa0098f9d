import { expect } from 'chai'
import pg from 'pg'
import {
  type ConnectionOptions,
  connect,
  connectionOptions,
  connectPersistently,
  watchConnections,
} from '#domain/postgres/index.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { failureOf } from '../administration/rejected.ts'

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

  it('leaves its pool when its server reports that it is read-only', async () => {
    await using pool = poolOf(connectionOptions(database.url))
    const before = await pidIn(pool)
    await pool.query('set default_transaction_read_only = on')
    await eventually(async () => (await pidIn(pool)) !== before)
  })

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

  it('is closed when a statement stays unanswered for too long, and its place in the pool is free', async () => {
    const connection = connectionOptions(database.url)
    await using _watch = await watch(connection, 1_000)
    await using pool = poolOf(connection)
    const error = await pool.query('select pg_sleep(60)').catch((error: NodeJS.ErrnoException) => error)
    expect(error).to.have.property('code', 'ETIMEDOUT')
    expect(await pidIn(pool)).to.be.a('number')
  })

  it('is closed when the network drops what is sent on it, once another connection is answered', async () => {
    await using relay = await openRelay()
    const connection = connectionOptions(relay.url)
    await using _watch = await watch(connection, 60_000)
    await using pool = poolOf(connection)
    await pidIn(pool)
    relay.network.set('cut')
    const lost = pool.query('select 1').catch((error: NodeJS.ErrnoException) => error)
    // What is sent in a cut network is lost even after it is rethrow.
    await eventually(() => relay.network.dropped > 1)
    relay.network.set('open')
    expect(await lost).to.have.property('code', 'ETIMEDOUT')
    expect(await pidIn(pool)).to.be.a('number')
  })

  it('is closed, too, when the process pauses while it looks for another connection', async () => {
    await using relay = await openRelay()
    const connection = connectionOptions(relay.url)
    await using _watch = await watch(connection, 60_000)
    await using pool = poolOf(connection)
    await pidIn(pool)
    relay.network.set('cut')
    const lost = pool.query('select 1').catch((error: NodeJS.ErrnoException) => error)
    const before = connection.openClients.size
    await eventually(() => connection.openClients.size > before)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    relay.network.set('open')
    expect(await lost).to.have.property('code', 'ETIMEDOUT')
  })

  it('is made although an earlier attempt stays unanswered, of which nothing remains', async () => {
    await using relay = await openRelay()
    const connection = connectionOptions(`${relay.url}?connect_timeout=600`)
    relay.network.set('cut')
    const opening = connectPersistently(connection, { signal: new AbortController().signal })
    await eventually(() => connection.openClients.size === 2)
    relay.network.set('open')
    const client = await opening
    await eventually(() => connection.openClients.size === 1)
    await client.query('select 1')
    await client.close()
  })

  it('is no longer attempted after it was given up', async () => {
    await using relay = await openRelay()
    const connection = connectionOptions(relay.url)
    relay.network.set('cut')
    const giveUp = new AbortController()
    const opening = connectPersistently(connection, { signal: giveUp.signal }).catch(error => error)
    await eventually(() => connection.openClients.size === 2)
    const reason = new Error('given up')
    giveUp.abort(reason)
    expect(await opening).to.equal(reason)
    await eventually(() => connection.openClients.size === 0)
  })

  it('is no longer attempted after a failure that no waiting mends', async () => {
    const url = Object.assign(new URL(database.url), { pathname: '/missing' }).href
    const { signal } = new AbortController()
    const rethrow = (error: unknown) => {
      throw error
    }
    const connection = connectionOptions(url)
    const error = await failureOf(connectPersistently(connection, { signal, onFailure: rethrow }))
    expect(error).to.have.property('code', '3D000')
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

async function watch(connection: ConnectionOptions, answerMsMax: number): Promise<AsyncDisposable> {
  const { close } = watchConnections(connection, { client: await connect(connection), answerMsMax })
  return { [Symbol.asyncDispose]: close }
}

/** A pool of one connection. */
function poolOf(connection: ConnectionOptions): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool({ ...connection, max: 1 })
  pool.on('error', () => {})
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() })
}

async function pidIn(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
