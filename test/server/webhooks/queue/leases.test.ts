import { expect } from 'chai'
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
