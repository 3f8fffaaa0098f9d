import { expect } from 'chai'
import { makeDeliveriesDue } from '#domain/webhook/make-deliveries-due.ts'
import { recordOutcome } from '#domain/webhook/record-outcomes.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { createFakeSender, serverError } from './fake-sender.ts'
import { claim, useQueueFixture } from './fixture.ts'
import { interceptPool } from './intercept-pool.ts'

describe('The lease of a delivery', () => {
  const queue = useQueueFixture()

  it('keeps other workers from sending for 8 s, and then lets one send', async () => {
    const { tenantId, clock, id } = await queue.addDue()
    await claim(queue.pool, clock())
    const sender = createFakeSender()
    queue.startWorker({ sender, clock })
    clock.advance(8_000)
    const other = await queue.addDelivery(tenantId, clock())
    await queue.untilState(other, 'delivered')
    expect(await queue.delivery(id)).to.include({ state: 'in_flight', attempts: 1 })
    clock.advance(1)
    await queue.untilState(id, 'delivered')
    expect((await queue.delivery(id)).attempts).to.equal(2)
    expect(sender.requests).to.have.lengthOf(2)
  })

  it('fails the delivery when it expires during the third attempt', async () => {
    const { clock, id } = await queue.addDue()
    await queue.query('update delivery set attempts = 2')
    await claim(queue.pool, clock())
    const sender = createFakeSender()
    clock.advance(8_001)
    queue.startWorker({ sender, clock })
    await queue.untilState(id, 'failed')
    expect(await queue.delivery(id)).to.include({ attempts: 3, failure: 'interrupted' })
    expect(sender.requests).to.have.lengthOf(0)
  })

  it('does not last longer when the clock is set back', async () => {
    const tenantId = await queue.addTenant()
    const clock = createTestClock()
    const id = await queue.addDelivery(tenantId, new Date(clock().getTime() - 3 * 60 * 60_000))
    await claim(queue.pool, clock())
    clock.advance(-60 * 60_000)
    queue.startWorker({ sender: createFakeSender(), clock })
    await queue.untilState(id, 'delivered')
  })

  it('is left to a worker whose clock is ahead by seconds', async () => {
    const tenantId = await queue.addTenant()
    const now = new Date()
    await queue.addDelivery(tenantId, now)
    const [delivery] = await claim(queue.pool, new Date(now.getTime() + 5_000))
    expect(await makeDeliveriesDue(queue.pool, now)).to.deep.equal({ due: [], failed: [] })
    const outcome = { result: 'delivered', dueAt: now, attemptedAt: now, failure: null } as const
    expect(await recordOutcome(queue.pool, { ...delivery!, ...outcome })).to.deep.equal({ position: 1 })
  })

  it('fences off the outcome of a slow worker after another worker has delivered', async () => {
    const { clock, id } = await queue.addDue()
    const slowResult = Promise.withResolvers<typeof serverError>()
    const slowSender = createFakeSender(() => slowResult.promise)
    const storedCounts: number[] = []
    const pool = interceptPool(queue.pool, async (statement, send) => {
      const result = await send()
      if (statement.name === 'record-outcomes') storedCounts.push(result.rows.length)
      return result
    })
    queue.startWorker({ sender: slowSender, clock, pool, concurrency: 1 })
    await eventually(() => slowSender.inFlight === 1)
    clock.advance(8_001)
    queue.startWorker({ sender: createFakeSender(), clock })
    await queue.untilState(id, 'delivered')
    const delivered = await queue.delivery(id)
    slowResult.resolve(serverError)
    await eventually(() => storedCounts.length === 1)
    expect(storedCounts).to.deep.equal([0])
    expect(await queue.delivery(id)).to.deep.equal(delivered)
  })

  it('fences off the outcome of an earlier claim while a later claim is in flight', async () => {
    const tenantId = await queue.addTenant()
    const now = new Date()
    const id = await queue.addDelivery(tenantId, now)
    const [first] = await claim(queue.pool, now)
    const later = new Date(now.getTime() + 8_001)
    await makeDeliveriesDue(queue.pool, later)
    const attempt = { result: 'failed', dueAt: now, attemptedAt: later, failure: 'timeout' } as const
    expect(await recordOutcome(queue.pool, { ...first!, ...attempt })).to.equal(undefined)
    const [second] = await claim(queue.pool, later)
    expect(await recordOutcome(queue.pool, { ...first!, ...attempt })).to.equal(undefined)
    expect(await queue.delivery(id)).to.deep.include({
      state: 'in_flight',
      attempts: 2,
      due_at: second!.leaseUntil,
    })
    expect(await recordOutcome(queue.pool, { ...second!, ...attempt })).to.deep.equal({ position: 1 })
  })

  it('is released immediately, without an attempt, when the claim took too long to send within it', async () => {
    const { clock, id } = await queue.addDue()
    const sender = createFakeSender()
    let isSlow = true
    const pool = interceptPool(queue.pool, (statement, send) => {
      // The first claim takes 3 s, as if the process had been suspended.
      if (isSlow && statement.name === 'claim-deliveries') {
        clock.advance(3_000)
        isSlow = false
      }
      return send()
    })
    queue.startWorker({ sender, clock, pool })
    await queue.untilState(id, 'delivered')
    expect((await queue.delivery(id)).attempts).to.equal(1)
    expect(sender.requests).to.have.lengthOf(1)
  })
})
