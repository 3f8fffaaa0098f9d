import { expect } from 'chai'
import { createTestClock } from '#test/support/test-clock.ts'
import { type Fixture, fakeSender, openFixture, recordingLog, success, until, useWorkers } from './fixture.ts'

describe('a time without the database', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  before(async () => {
    fixture = await openFixture()
  })
  beforeEach(() => fixture.clear())
  after(() => fixture.close())

  it('loses no event, and is logged once when it begins and once when it ends', async () => {
    const tenant = await fixture.addTenant()
    const outage = interruptible(fixture.pool)
    const log = recordingLog()
    const sender = fakeSender()
    outage.begin()
    startWorker({ pool: outage.pool }, { sender, log, pollMs: 20 })
    const [id] = await fixture.addEvents(tenant.id)
    await until(() => outage.failures >= 3)
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['error'])
    outage.end()
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    expect(log.lines.map(({ level }) => level).toSorted()).to.deep.equal(['error', 'info', 'info'])
    expect(sender.attempts).to.have.lengthOf(1)
  })

  it('keeps the results of attempts that ended in it until they can be stored', async () => {
    const tenant = await fixture.addTenant()
    const outage = interruptible(fixture.pool)
    const ids = await fixture.addEvents(tenant.id, 5)
    const gate = Promise.withResolvers<typeof success>()
    const sender = fakeSender(() => gate.promise)
    startWorker({ pool: outage.pool }, { sender, pollMs: 20 })
    await until(() => sender.underWay === 5)
    outage.begin()
    gate.resolve(success)
    await until(() => outage.failures >= 3)
    outage.end()
    await until(async () => (await fixture.rows(tenant.id)).every(({ state }) => state === 'delivered'))
    expect(sender.attempts).to.have.lengthOf(ids.length)
  })

  it('loses no event when the server ends every connection, again and again', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    startWorker(fixture, { sender: fakeSender(), clock, pollMs: 20 })
    for (let round = 0; round < 5; round += 1) {
      await fixture.addEvents(tenant.id, 20, clock())
      await endConnections(fixture)
    }
    // What was claimed by a connection that then ended is free when its lease is over.
    await until(async () => (await fixture.rows(tenant.id)).every(({ state }) => state !== 'pending'), 10_000)
    clock.advance(8_000)
    await until(
      async () => (await fixture.rows(tenant.id)).every(({ state }) => state === 'delivered'),
      10_000,
    )
    expect(await fixture.rows(tenant.id)).to.have.lengthOf(100)
  })

  it('does not keep others from claiming when a worker is frozen in its turn', async () => {
    const tenant = await fixture.addTenant()
    const stuck = Promise.withResolvers<never>()
    const pool: Fixture['pool'] = {
      query: statement => fixture.pool.query(statement),
      async connect() {
        const connection = await fixture.pool.connect()
        const query = (statement: never) => (isClaim(statement) ? stuck.promise : connection.query(statement))
        return { query, release: () => connection.release(true) } as typeof connection
      },
    }
    const asleep = startWorker({ pool }, { sender: fakeSender() })
    await until(async () => {
      const [row] = await fixture.query<{ held: number }>(
        "select count(*)::int as held from pg_locks where locktype = 'advisory' and granted",
      )
      return row!.held === 1
    })
    const [id] = await fixture.addEvents(tenant.id)
    startWorker(fixture, { sender: fakeSender() })
    await until(async () => (await fixture.row(id!))?.state === 'delivered', 5_000)
    stuck.reject(new Error('awake'))
    await asleep.close()
  })
})

const isClaim = (statement: unknown) => (statement as { name?: string }).name === 'claim-deliveries'

/** Ends all of the fixture's connections but the one that does it. */
async function endConnections(fixture: Fixture): Promise<void> {
  await fixture.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
}

/** A pool that can be cut off from the database. */
function interruptible(pool: Fixture['pool']) {
  let isAway = false
  const outage = {
    failures: 0,
    begin: () => {
      isAway = true
    },
    end: () => {
      isAway = false
    },
    pool: {
      query: statement => through(() => pool.query(statement)),
      connect: () => through(() => pool.connect()),
    } satisfies Fixture['pool'] as Fixture['pool'],
  }
  async function through<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!isAway) return await work()
    outage.failures += 1
    throw new Error('connect ECONNREFUSED')
  }
  return outage
}
