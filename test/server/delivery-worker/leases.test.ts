import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { type ClaimLimits, claimDeliveries } from '#domain/event/claim-deliveries.ts'
import { recordOutcomes } from '#domain/event/record-outcomes.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import { fakeSender, openStage, refusal, type Stage, success, until, useWorkers } from './stage.ts'

const limits: ClaimLimits = {
  free: 100,
  perTenant: 8,
  wide: 100,
  hungTenants: [],
  perHungTenant: 2,
  hung: 100,
}

describe('a delivery whose worker is lost', () => {
  let stage: Stage
  const startWorker = useWorkers()
  before(async () => {
    stage = await openStage()
  })
  beforeEach(() => stage.clear())
  after(() => stage.close())

  it('stays with its worker for the 8 s of the lease, and is then sent by another', async () => {
    const tenant = await stage.addTenant()
    const clock = createTestClock()
    const [id] = await stage.addEvents(tenant.id, 1, clock())
    await claimDeliveries(stage.pool, clock(), limits, randomUUID())
    const sender = fakeSender()
    startWorker(stage, { sender, clock })
    clock.advance(7_999)
    const [other] = await stage.addEvents(tenant.id, 1, clock())
    await until(async () => (await stage.row(other!))?.state === 'delivered')
    expect(await stage.row(id!)).to.include({ state: 'in_flight', attempts: 1 })
    clock.advance(1)
    await until(async () => (await stage.row(id!))?.state === 'delivered')
    expect((await stage.row(id!))!.attempts).to.equal(2)
    expect(sender.attempts).to.have.lengthOf(2)
  })

  it('has failed, and is not sent again, if the lost attempt was the third', async () => {
    const tenant = await stage.addTenant()
    const clock = createTestClock()
    const [id] = await stage.addEvents(tenant.id, 1, clock())
    await stage.query('update delivery set attempts = 2')
    await claimDeliveries(stage.pool, clock(), limits, randomUUID())
    const sender = fakeSender()
    clock.advance(8_000)
    startWorker(stage, { sender, clock })
    await until(async () => (await stage.row(id!))?.state === 'failed')
    expect(await stage.row(id!)).to.include({ attempts: 3, claim_token: null })
    expect((await stage.row(id!))!.finished_at).to.deep.equal(clock())
    expect(sender.attempts).to.have.lengthOf(0)
  })

  it('is not held for longer when the clock was set back meanwhile', async () => {
    const tenant = await stage.addTenant()
    const clock = createTestClock()
    const [id] = await stage.addEvents(tenant.id, 1, new Date(clock().getTime() - 3 * 60 * 60_000))
    await claimDeliveries(stage.pool, clock(), limits, randomUUID())
    clock.advance(-60 * 60_000)
    startWorker(stage, { sender: fakeSender(), clock })
    await until(async () => (await stage.row(id!))?.state === 'delivered')
  })

  it('keeps the result of the worker that took over, whatever the slow one stores later', async () => {
    const tenant = await stage.addTenant()
    const clock = createTestClock()
    const [id] = await stage.addEvents(tenant.id, 1, clock())
    const slow = Promise.withResolvers<typeof refusal>()
    const slowSender = fakeSender(() => slow.promise)
    // Its pool stores results only when it is told to, so the test sees the fenced write happen.
    const stored: number[] = []
    const pool = watchOutcomes(stage, count => stored.push(count))
    startWorker({ pool }, { sender: slowSender, clock })
    await until(() => slowSender.underWay === 1)
    clock.advance(8_000)
    const sender = fakeSender(() => success)
    startWorker(stage, { sender, clock })
    await until(async () => (await stage.row(id!))?.state === 'delivered')
    const before = await stage.row(id!)
    slow.resolve(refusal)
    await until(() => stored.length === 1)
    expect(stored).to.deep.equal([0])
    expect(await stage.row(id!)).to.deep.equal(before)
  })

  it('takes no result under a claim that another has replaced while that one is in flight', async () => {
    const tenant = await stage.addTenant()
    const now = new Date()
    const [id] = await stage.addEvents(tenant.id, 1, now)
    const [first, second] = [randomUUID(), randomUUID()]
    await claimDeliveries(stage.pool, now, limits, first)
    await stage.query("update delivery set state = 'pending', claim_token = null, lease_until = null")
    await claimDeliveries(stage.pool, now, limits, second)
    const outcome = { id: id!, result: 'failed', at: now, dueAt: now } as const
    expect(await recordOutcomes(stage.pool, [{ ...outcome, claimToken: first }])).to.equal(0)
    expect(await stage.row(id!)).to.include({ state: 'in_flight', attempts: 2, claim_token: second })
    expect(await recordOutcomes(stage.pool, [{ ...outcome, claimToken: second }])).to.equal(1)
  })

  it('gives back at once what was claimed too late to be sent within the lease', async () => {
    const tenant = await stage.addTenant()
    const clock = createTestClock()
    const [id] = await stage.addEvents(tenant.id, 1, clock())
    const sender = fakeSender()
    let isSlow = true
    const pool: Stage['pool'] = {
      query: statement => stage.pool.query(statement),
      async connect() {
        // The claim is answered only 3 s after its moment, as if the process had been frozen.
        if (isSlow) clock.advance(3_000)
        isSlow = false
        return await stage.pool.connect()
      },
    }
    startWorker({ pool }, { sender, clock })
    await until(async () => (await stage.row(id!))?.state === 'delivered')
    expect((await stage.row(id!))!.attempts).to.equal(1)
    expect(sender.attempts).to.have.lengthOf(1)
  })
})

/** The stage's pool; tells how many outcomes each group has stored. */
function watchOutcomes(stage: Stage, onStored: (count: number) => void): Stage['pool'] {
  return {
    connect: () => stage.pool.connect(),
    async query(statement) {
      const result = await stage.pool.query(statement)
      if (statement.name === 'record-outcomes') onStored(result.rows.length)
      return result
    },
  }
}
