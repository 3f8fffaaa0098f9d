import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type pg from 'pg'
import { type WorkKind, workKinds } from '#domain/ports.ts'
import { connectionOptions } from '#domain/postgres/index.ts'
import { createLog } from '#server/logging/log.ts'
import { createPostgresNotifier, notifyStatement } from '#server/notifications/postgres-notifier.ts'
import {
  createProcessNotifications,
  type ProcessNotifications,
  type ProcessNotificationsOptions,
} from '#server/notifications/process-notifications.ts'
import { createTestDatabase } from '../harness/database.ts'
import { setReachable } from '../harness/database-outage.ts'
import { TcpProxy } from '../harness/engines/tcp-proxy.ts'
import { eventually } from '../harness/eventually.ts'
import { useOpened } from '../harness/use-opened.ts'
import { captureLog } from './captured-log.ts'
import { queryIn } from './query-in.ts'

describe('The notifier between processes', () => {
  const database = useOpened(createTestDatabase)
  let api: ProcessNotifications
  let worker: ProcessNotifications
  let received: WorkKind[]
  beforeEach(async () => {
    api = notificationsOf({ api: true, worker: false }, database.url)
    worker = notificationsOf({ api: false, worker: true }, database.url)
    received = []
    worker.listen(work => received.push(work))
    await expectReceived(...workKinds)
  })
  afterEach(async () => {
    await api.close()
    await worker.close()
  })

  it('wakes the workers of another process for each kind of work', async () => {
    for (const work of workKinds) {
      api.notifier.notify(work)
      await expectReceived(work)
    }
  })

  it('batches notifications that are sent at the same time', async () => {
    for (let count = 0; count < 200; count++) api.notifier.notify('deliveries')
    api.notifier.notify('polling')
    await expectReceived('deliveries', 'polling')
    api.notifier.notify('polling')
    await expectReceived('polling')
  })

  it('reconnects after LISTEN was lost, reports every kind of work, and logs loss and recovery once', async () => {
    const captured = captureLog()
    await worker.close()
    worker = notificationsOf({ api: false, worker: true }, database.url, captured.log)
    worker.listen(work => received.push(work))
    await expectReceived(...workKinds)
    expect(worker.isListening()).to.equal(true)
    await setReachable(database.url, false)
    await eventually(() => !worker.isListening())
    // More than one attempt to reconnect fails.
    await wait(2_500)
    await setReachable(database.url, true)
    await expectReceived(...workKinds)
    expect(worker.isListening()).to.equal(true)
    api.notifier.notify('polling')
    await expectReceived('polling')
    const lines = captured.lines().map(({ level, msg }) => ({ level, msg }))
    expect(lines).to.deep.equal([
      { level: 'warn', msg: 'LISTEN connection lost; reconnecting' },
      { level: 'info', msg: 'LISTEN connection restored' },
    ])
    expect(captured.lines()[0]!.err).to.include({ type: 'DatabaseError', code: '57P01' })
  })

  it('logs why the first LISTEN connection cannot be opened', async () => {
    const captured = captureLog()
    const unreachable = notificationsOf(
      { api: false, worker: true },
      'postgres://127.0.0.1:1/none',
      captured.log,
    )
    unreachable.listen(() => {})
    const [line] = await eventually(captured.lines, { until: lines => lines.length > 0 })
    expect(line).to.deep.include({ level: 'warn', msg: 'LISTEN connection lost; reconnecting' })
    expect(line!.err).to.include({ code: 'ECONNREFUSED' })
    await unreachable.close()
  })

  it('reconnects when the server becomes silent before it has answered LISTEN', async () => {
    const server = new URL(database.url)
    const network = await TcpProxy.open(Number(server.port))
    server.host = `127.0.0.1:${network.port}`
    network.cutAt('listen worker_wake')
    const captured = captureLog()
    const listening = notificationsOf({ api: false, worker: true }, server.href, captured.log)
    listening.listen(work => received.push(work))
    const [line] = await eventually(captured.lines, { until: lines => lines.length > 0 })
    expect(line!.err).to.include({ code: 'ETIMEDOUT' })
    network.set('open')
    await expectReceived(...workKinds)
    await listening.close()
    await network.close()
  })

  it('reconnects after the NOTIFY connection was lost', async () => {
    api.notifier.notify('polling')
    await expectReceived('polling')
    const terminated = await queryIn(
      database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where query = $1 and datname = current_database()',
      [notifyStatement],
    )
    expect(terminated).to.have.length(1)
    api.notifier.notify('deliveries')
    await expectReceived('deliveries')
  })

  it('sends pending notifications before it is closed', async () => {
    api.notifier.notify('deliveries')
    await api.close()
    await expectReceived('deliveries')
  })

  it('leaves no LISTEN connection when it is closed', async () => {
    await worker.close()
    const [row] = await queryIn(
      database.url,
      'select count(*)::int as count from pg_stat_activity where query = $1 and datname = current_database()',
      ['listen worker_wake'],
    )
    expect(row).to.deep.equal({ count: 0 })
  })

  it('does not queue notifications while the database does not respond', async () => {
    const response = Promise.withResolvers<void>()
    let queries = 0
    const pool = {
      query: () => {
        queries++
        return response.promise
      },
    }
    const notifier = createPostgresNotifier(pool as unknown as pg.Pool, createLog('silent'))
    notifier.notify('worker_wake', 'polling')
    while (queries === 0) await turn()
    for (let count = 0; count < 5; count++) {
      notifier.notify('worker_wake', 'polling')
      await queryIn(database.url, 'select')
    }
    expect(queries).to.equal(1)
    response.resolve()
    await notifier.close()
    expect(queries).to.equal(2)
  })

  it('wakes workers in the same process without the database', async () => {
    const both = notificationsOf({ api: true, worker: true }, 'postgres://127.0.0.1:1/none')
    const woken: [WorkKind, boolean][] = []
    both.listen((work, isForAll) => void woken.push([work, isForAll]))
    both.notifier.notify('polling')
    expect(woken).to.deep.equal([['polling', false]])
    await both.close()
  })

  /** Waits until this work has been received, and no other, in any order. */
  async function expectReceived(...works: WorkKind[]): Promise<void> {
    await eventually(() => received.length >= works.length)
    expect(received.splice(0)).to.have.members(works)
  }
})

function notificationsOf(
  roles: ProcessNotificationsOptions['roles'],
  databaseUrl: string,
  log = createLog('silent'),
): ProcessNotifications {
  const connection = connectionOptions(databaseUrl)
  return createProcessNotifications({ roles, connection, log })
}
