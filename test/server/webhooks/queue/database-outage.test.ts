import { expect } from 'chai'
import type { StatementPool } from '#domain/database/statement.ts'
import { eventually } from '#test/harness/eventually.ts'
import { captureLog } from '../../captured-log.ts'
import { createFakeSender, success } from './fake-sender.ts'
import { useQueueFixture } from './fixture.ts'

describe('DeliveryWorker without a database', () => {
  const queue = useQueueFixture()

  it('loses no delivery, and logs once when the outage starts and once when it ends', async () => {
    const tenantId = await queue.addTenant()
    const outage = createOutage(queue.pool)
    const { log, lines } = captureLog()
    const messages = () => lines().map(({ msg }) => msg)
    const sender = createFakeSender()
    outage.start()
    queue.startWorker({ sender, log, pollMs: 20, pool: outage.pool })
    const id = await queue.addDelivery(tenantId)
    await eventually(() => outage.failures >= 3)
    expect(messages()).to.deep.equal(['Background task failed; retrying'])
    outage.end()
    await queue.untilState(id, 'delivered')
    expect(messages()).to.have.members([
      'Background task failed; retrying',
      'Background task recovered',
      'Webhook delivered',
    ])
    expect(sender.requests).to.have.lengthOf(1)
  })

  it('retries to store the outcomes of attempts until the outage ends', async () => {
    const tenantId = await queue.addTenant()
    const outage = createOutage(queue.pool)
    await queue.addDeliveries(tenantId, 5)
    const result = Promise.withResolvers<typeof success>()
    const sender = createFakeSender(() => result.promise)
    queue.startWorker({ sender, pollMs: 20, pool: outage.pool })
    await eventually(() => sender.inFlight === 5)
    outage.start()
    result.resolve(success)
    await eventually(() => outage.failures >= 3)
    outage.end()
    await eventually(async () =>
      (await queue.deliveries(tenantId)).every(({ state }) => state === 'delivered'),
    )
    expect(sender.requests).to.have.lengthOf(5)
  })
})

/** A pool whose statements fail during an outage. */
function createOutage(pool: StatementPool) {
  let isActive = false
  const outage = {
    failures: 0,
    start: () => {
      isActive = true
    },
    end: () => {
      isActive = false
    },
    pool: {
      async query(statement) {
        if (!isActive) return await pool.query(statement)
        outage.failures += 1
        throw new Error('connect ECONNREFUSED')
      },
    } satisfies StatementPool,
  }
  return outage
}
