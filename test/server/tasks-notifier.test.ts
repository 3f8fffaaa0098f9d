import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import type { WorkerNotifier } from '#domain/ports.ts'
import {
  createWorkNotifications,
  type WorkNotifications,
  type WorkNotificationsOptions,
} from '#server/background/notifications.ts'
import { createRemoteNotifier } from '#server/background/worker-notifier.ts'
import { createLog } from '#server/log.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

type Work = Parameters<WorkerNotifier['notify']>[0]

describe('the notifier between processes', () => {
  let database: TestDatabase
  let api: WorkNotifications
  let worker: WorkNotifications
  let heard: Listener
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.close())
  beforeEach(async () => {
    api = notificationsOf({ api: true, worker: false }, database.url)
    worker = notificationsOf({ api: false, worker: true }, database.url)
    heard = listener()
    worker.listen(heard.hear)
    await heard.both()
  })
  afterEach(async () => {
    await api.close()
    await worker.close()
  })

  it('wakes the workers of another process, for the work that there is', async () => {
    api.notifier.notify('polling')
    expect(await heard.next()).to.equal('polling')
    api.notifier.notify('deliveries')
    expect(await heard.next()).to.equal('deliveries')
  })

  it('notifications once for many notifications of one moment', async () => {
    for (let count = 0; count < 200; count++) api.notifier.notify('deliveries')
    api.notifier.notify('polling')
    expect([await heard.next(), await heard.next()]).to.have.members(['deliveries', 'polling'])
    api.notifier.notify('polling')
    expect(await heard.next()).to.equal('polling')
    expect(heard.waiting()).to.equal(0)
  })

  it('is heard again after the listening connection was cut, and the cut is made up for', async () => {
    expect(await cut('listen worker_bell')).to.equal(1)
    await heard.both()
    api.notifier.notify('polling')
    expect(await heard.next()).to.equal('polling')
  })

  it('notifications again after its own connection was cut', async () => {
    api.notifier.notify('polling')
    expect(await heard.next()).to.equal('polling')
    expect(await cut('select pg_notify($1, $2)')).to.equal(1)
    api.notifier.notify('deliveries')
    expect(await heard.next()).to.equal('deliveries')
  })

  it('delivers the last ring before it is closed', async () => {
    api.notifier.notify('deliveries')
    await api.close()
    expect(await heard.next()).to.equal('deliveries')
  })

  it('falls silent when it is closed', async () => {
    await worker.close()
    const [left] = await query('select count(*)::int as left from pg_stat_activity where query = $1', [
      'listen worker_bell',
    ])
    expect(left).to.deep.equal({ left: 0 })
  })

  it('does not pile up notifications while the database does not answer', async () => {
    const answer = Promise.withResolvers<void>()
    let asked = 0
    const silent = {
      query: () => {
        asked++
        return answer.promise
      },
    }
    const remote = createRemoteNotifier(silent as unknown as pg.Pool, createLog('silent'))
    remote.notify('polling')
    while (asked === 0) await turn()
    for (let count = 0; count < 5; count++) {
      remote.notify('polling')
      await query('select', [])
    }
    expect(asked).to.equal(1)
    answer.resolve()
    await remote.close()
    expect(asked).to.equal(2)
  })

  it('wakes the own workers without the database where they share the process', async () => {
    const both = notificationsOf({ api: true, worker: true }, 'postgres://127.0.0.1:1/none')
    const own: Work[] = []
    both.listen(work => void own.push(work))
    both.notifier.notify('polling')
    expect(own).to.deep.equal(['polling'])
    await both.close()
  })

  /** Ends the connections whose last statement was this one; answers how many there were. */
  async function cut(statement: string): Promise<number> {
    const killed = await query(
      'select pg_terminate_backend(pid) from pg_stat_activity where query = $1 and datname = current_database()',
      [statement],
    )
    return killed.length
  }

  async function query(text: string, values: unknown[]): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(text, values)
    await client.end()
    return rows
  }
})

function notificationsOf(duties: WorkNotificationsOptions['duties'], databaseUrl: string): WorkNotifications {
  return createWorkNotifications({ duties, databaseUrl, log: createLog('silent') })
}

type Listener = ReturnType<typeof listener>

function listener() {
  const rung: Work[] = []
  let arrived = Promise.withResolvers<void>()
  async function next(): Promise<Work> {
    while (rung.length === 0) await arrived.promise
    return rung.shift()!
  }
  return {
    hear(work: Work): void {
      rung.push(work)
      arrived.resolve()
      arrived = Promise.withResolvers()
    },
    next,
    waiting: () => rung.length,
    /** What is rung when the line is up: whatever was missed may be of either kind. */
    async both(): Promise<void> {
      expect([await next(), await next()]).to.have.members(['deliveries', 'polling'])
    },
  }
}
