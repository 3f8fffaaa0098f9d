import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { eventually } from '#test/harness/eventually.ts'
import { metricOf } from '#test/harness/metrics.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { createFakeSender, serverError } from './fake-sender.ts'
import { claim, useQueueFixture } from './fixture.ts'

const dayMs = 24 * 60 * 60_000

describe('Deliveries that are given up are counted', () => {
  const queue = useQueueFixture()

  function startWorker() {
    const clock = createTestClock()
    const registry = new Registry()
    const metrics = createDeliveryMetrics({ registry, pool: queue.pool, clock })
    const start = () => queue.startWorker({ sender: createFakeSender(() => serverError), clock, metrics })
    const givenUp = (reason?: string) =>
      metricOf(registry, 'age_verification_webhook_deliveries_given_up_total', reason ? { reason } : {})
    return { clock, start, givenUp }
  }

  it('after the third failed attempt, not before', async () => {
    const { clock, start, givenUp } = startWorker()
    const id = await queue.addDelivery(await queue.addTenant(), clock())
    start()
    for (const attempt of [1, 2, 3]) {
      expect(await givenUp()).to.equal(0)
      await queue.untilAttempted(id, attempt)
      clock.advance(660_000)
    }
    await eventually(givenUp, { until: count => count === 1 })
    expect(await givenUp('attempts_failed')).to.equal(1)
  })

  it('when a worker is lost during the third attempt', async () => {
    const { clock, start, givenUp } = startWorker()
    const id = await queue.addDelivery(await queue.addTenant(), clock())
    await queue.query('update delivery set attempts = 2')
    await claim(queue.pool, clock())
    clock.advance(8_000)
    start()
    await queue.untilState(id, 'failed')
    await eventually(() => givenUp('worker_lost'), { until: count => count === 1 })
    expect(await givenUp()).to.equal(1)
  })

  it('when they are 24 hours old, or the tenant has no webhook URL any more', async () => {
    const { clock, start, givenUp } = startWorker()
    await queue.addDeliveries(await queue.addTenant(), 2, new Date(clock().getTime() - dayMs))
    await queue.addDeliveries(await queue.addTenant({ url: null }), 3, clock())
    start()
    await eventually(givenUp, { until: count => count === 5 })
    expect([await givenUp('expired'), await givenUp('no_url')]).to.deep.equal([2, 3])
  })
})
