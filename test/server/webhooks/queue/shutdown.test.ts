import { expect } from 'chai'
import { eventually } from '#test/harness/eventually.ts'
import { scaledTimeout } from '#test/harness/scaled-timeout.ts'
import { createFakeSender, success, timeout } from './fake-sender.ts'
import { useQueueFixture } from './fixture.ts'
import { pauseAfterClaim } from './intercept-pool.ts'

describe('DeliveryWorker.close', () => {
  const queue = useQueueFixture()

  it('drains the attempts in flight, stores their outcomes and starts no others', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 20)
    const result = Promise.withResolvers<typeof success>()
    const sender = createFakeSender(() => result.promise)
    const worker = queue.startWorker({ sender })
    await eventually(() => sender.inFlight === 8)
    const closed = worker.close()
    worker.wake()
    result.resolve(success)
    await closed
    const states = (await queue.deliveries(tenantId)).map(({ state }) => state)
    expect(states.filter(state => state === 'delivered')).to.have.lengthOf(8)
    expect(states.filter(state => state === 'new')).to.have.lengthOf(12)
    expect(sender.requests).to.have.lengthOf(8)
  })

  it('releases claimed deliveries that were not sent, without counting an attempt', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 3)
    const { pool, reached: committed, resume } = pauseAfterClaim(queue.pool)
    const sender = createFakeSender()
    const worker = queue.startWorker({ sender, pool })
    await committed
    const states = (await queue.deliveries(tenantId)).map(({ state }) => state)
    expect(states).to.deep.equal(Array(3).fill('in_flight'))
    const closed = worker.close()
    resume()
    await closed
    const rows = await queue.deliveries(tenantId)
    expect(rows.map(({ state, attempts }) => [state, attempts])).to.deep.equal(Array(3).fill(['waiting', 0]))
    expect(Math.max(...rows.map(({ due_at }) => due_at.getTime()))).to.be.at.most(Date.now())
    expect(sender.requests).to.have.lengthOf(0)
  })

  it('waits no longer than 5.5 s, and leaves what is still in flight to the expiry of its lease', async () => {
    const tenantId = await queue.addTenant()
    const id = await queue.addDelivery(tenantId)
    const result = Promise.withResolvers<typeof timeout>()
    const sender = createFakeSender(() => result.promise)
    const worker = queue.startWorker({ sender })
    await eventually(() => sender.inFlight === 1)
    const startedAt = performance.now()
    await Promise.all([worker.close(), worker.close()])
    expect(performance.now() - startedAt).to.be.within(4_500, scaledTimeout(7_500))
    expect(await queue.delivery(id)).to.include({ state: 'in_flight', attempts: 1 })
    result.resolve(timeout)
  })
})
