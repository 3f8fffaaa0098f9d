import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { type ClaimLimits, claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { recordOutcomes } from '#domain/webhook/record-outcomes.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import { type Fixture, fakeSender, openFixture, refusal, success, until, useWorkers } from './fixture.ts'

const limits: ClaimLimits = {
  free: 100,
  perTenant: 8,
  wide: 100,
  hungTenants: [],
  perHungTenant: 2,
  hung: 100,
}

describe('a delivery whose worker is lost', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  before(async () => {
    fixture = await openFixture()
  })
  beforeEach(() => fixture.clear())
  after(() => fixture.close())

  it('stays with its worker for the 8 s of the lease, and is then sent by another', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    await claimDeliveries(fixture.pool, clock(), limits, randomUUID())
    const sender = fakeSender()
    startWorker(fixture, { sender, clock })
    clock.advance(7_999)
    const [other] = await fixture.addEvents(tenant.id, 1, clock())
    await until(async () => (await fixture.row(other!))?.state === 'delivered')
    expect(await fixture.row(id!)).to.include({ state: 'in_flight', attempts: 1 })
    clock.advance(1)
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    expect((await fixture.row(id!))!.attempts).to.equal(2)
    expect(sender.attempts).to.have.lengthOf(2)
  })

  it('has failed, and is not sent again, if the lost attempt was the third', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    await fixture.query('update delivery set attempts = 2')
    await claimDeliveries(fixture.pool, clock(), limits, randomUUID())
    const sender = fakeSender()
    clock.advance(8_000)
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'failed')
    expect(await fixture.row(id!)).to.include({ attempts: 3, claim_token: null })
    expect(sender.attempts).to.have.lengthOf(0)
  })

  it('is not held for longer when the clock was set back meanwhile', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, new Date(clock().getTime() - 3 * 60 * 60_000))
    await claimDeliveries(fixture.pool, clock(), limits, randomUUID())
    clock.advance(-60 * 60_000)
    startWorker(fixture, { sender: fakeSender(), clock })
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
  })

  it('keeps the result of the worker that took over, whatever the slow one stores later', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const slow = Promise.withResolvers<typeof refusal>()
    const slowSender = fakeSender(() => slow.promise)
    // Its pool stores results only when it is told to, so the test sees the fenced write happen.
    const stored: number[] = []
    const pool = watchOutcomes(fixture, count => stored.push(count))
    startWorker({ pool }, { sender: slowSender, clock })
    await until(() => slowSender.underWay === 1)
    clock.advance(8_000)
    const sender = fakeSender(() => success)
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    const before = await fixture.row(id!)
    slow.resolve(refusal)
    await until(() => stored.length === 1)
    expect(stored).to.deep.equal([0])
    expect(await fixture.row(id!)).to.deep.equal(before)
  })

  it('takes no result under a claim that another has replaced while that one is in flight', async () => {
    const tenant = await fixture.addTenant()
    const now = new Date()
    const [id] = await fixture.addEvents(tenant.id, 1, now)
    const [first, second] = [randomUUID(), randomUUID()]
    await claimDeliveries(fixture.pool, now, limits, first)
    await fixture.query("update delivery set state = 'pending', claim_token = null, lease_until = null")
    await claimDeliveries(fixture.pool, now, limits, second)
    const key = { tenantId: tenant.id, verificationId: id!, type: 'verification.completed' }
    const outcome = { ...key, result: 'failed', dueAt: now } as const
    expect(await recordOutcomes(fixture.pool, [{ ...outcome, claimToken: first }])).to.equal(0)
    expect(await fixture.row(id!)).to.include({ state: 'in_flight', attempts: 2, claim_token: second })
    expect(await recordOutcomes(fixture.pool, [{ ...outcome, claimToken: second }])).to.equal(1)
  })

  it('gives back at once what was claimed too late to be sent within the lease', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const sender = fakeSender()
    let isSlow = true
    const pool: Fixture['pool'] = {
      query: statement => fixture.pool.query(statement),
      async connect() {
        // The claim is answered only 3 s after its moment, as if the process had been frozen.
        if (isSlow) clock.advance(3_000)
        isSlow = false
        return await fixture.pool.connect()
      },
    }
    startWorker({ pool }, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    expect((await fixture.row(id!))!.attempts).to.equal(1)
    expect(sender.attempts).to.have.lengthOf(1)
  })
})

/** The fixture's pool; tells how many outcomes each group has stored. */
function watchOutcomes(fixture: Fixture, onStored: (count: number) => void): Fixture['pool'] {
  return {
    connect: () => fixture.pool.connect(),
    async query(statement) {
      const result = await fixture.pool.query(statement)
      if (statement.name === 'record-outcomes') onStored(result.rows.length)
      return result
    },
  }
}
