import { expect } from 'chai'
import { type Fixture, fakeSender, hang, openFixture, success, until, useWorkers } from './fixture.ts'

describe('the end of a worker', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  before(async () => {
    fixture = await openFixture()
  })
  beforeEach(() => fixture.clear())
  after(() => fixture.close())

  it('finishes and stores what is in flight, and begins nothing more', async () => {
    const tenant = await fixture.addTenant()
    await fixture.addEvents(tenant.id, 20)
    const gate = Promise.withResolvers<typeof success>()
    const sender = fakeSender(() => gate.promise)
    const worker = startWorker(fixture, { sender })
    await until(() => sender.underWay === 8)
    const closed = worker.close()
    worker.wake()
    gate.resolve(success)
    await closed
    const states = (await fixture.rows(tenant.id)).map(({ state }) => state)
    expect(states.filter(state => state === 'delivered')).to.have.lengthOf(8)
    expect(states.filter(state => state === 'pending')).to.have.lengthOf(12)
    expect(sender.attempts).to.have.lengthOf(8)
  })

  it('gives back at once, with all its attempts, what is claimed but not yet sent', async () => {
    const tenant = await fixture.addTenant()
    await fixture.addEvents(tenant.id, 3)
    const committed = Promise.withResolvers<void>()
    const mayReturn = Promise.withResolvers<void>()
    const pool = holdingBackCommits(fixture.pool, committed.resolve, mayReturn.promise)
    const sender = fakeSender()
    const worker = startWorker({ pool }, { sender })
    await committed.promise
    expect((await fixture.rows(tenant.id)).map(({ state }) => state)).to.deep.equal(
      Array(3).fill('in_flight'),
    )
    const closed = worker.close()
    mayReturn.resolve()
    await closed
    const rows = await fixture.rows(tenant.id)
    expect(rows.map(({ state, attempts }) => [state, attempts])).to.deep.equal(Array(3).fill(['pending', 0]))
    expect(Math.max(...rows.map(({ due_at }) => due_at.getTime()))).to.be.at.most(Date.now())
    expect(sender.attempts).to.have.lengthOf(0)
  })

  it('waits 5.5 s at most, and leaves what still hangs to the lease', async () => {
    const tenant = await fixture.addTenant()
    const [id] = await fixture.addEvents(tenant.id)
    const forever = Promise.withResolvers<typeof hang>()
    const sender = fakeSender(() => forever.promise)
    const worker = startWorker(fixture, { sender })
    await until(() => sender.underWay === 1)
    const startedAt = performance.now()
    await worker.close()
    expect(performance.now() - startedAt).to.be.within(5_000, 6_000)
    expect(await fixture.row(id!)).to.include({ state: 'in_flight', attempts: 1 })
    forever.resolve(hang)
  })

  it('may be asked for more than once', async () => {
    const worker = startWorker(fixture, { sender: fakeSender() })
    await Promise.all([worker.close(), worker.close()])
    await worker.close()
  })
})

/** The pool; tells when a claim has been committed, and answers it only when it may. */
function holdingBackCommits(
  pool: Fixture['pool'],
  onCommitted: () => void,
  mayReturn: Promise<void>,
): Fixture['pool'] {
  return {
    query: statement => pool.query(statement),
    async connect() {
      const connection = await pool.connect()
      const query = async (statement: never) => {
        const result = await connection.query(statement)
        if (statement === 'commit') {
          onCommitted()
          await mayReturn
        }
        return result
      }
      return { query, release: (isBroken?: boolean) => connection.release(isBroken) } as typeof connection
    },
  }
}
