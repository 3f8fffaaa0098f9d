import { expect } from 'chai'
import { Registry } from 'prom-client'
import { eventually } from '#test/harness/eventually.ts'
import { metricOf } from '#test/harness/metrics.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { captureLog } from '../../captured-log.ts'
import { createFakeSender, expired, serverError, success } from './fake-sender.ts'
import { useQueueFixture } from './fixture.ts'

const withoutTime = ({ time: _, ...line }: Record<string, unknown>) => line
const givenUpTotal = 'age_verification_webhook_deliveries_given_up_total'

describe('DeliveryWorker reports', () => {
  const queue = useQueueFixture()

  it('each attempt in one log line without URL, body and secret', async () => {
    const secret = 'whsec_not in any log'
    const { log, lines } = captureLog()
    const registry = new Registry()
    const results = [serverError, expired, success]
    const { tenantId, clock, id } = await queue.startDelivery(() => results.shift()!, {
      url: 'https://receiver.test/?token=hidden',
      secrets: [secret],
      log,
      registry,
    })
    await queue.untilAttempted(id, 1)
    clock.advance(66_000)
    await queue.untilAttempted(id, 2)
    clock.advance(660_000)
    await queue.untilState(id, 'delivered')
    const key = { tenantId, verificationId: id, type: 'verification.completed' }
    const failed = { outcome: 'failure', status: 500, reason: 'status', durationMs: 1 }
    const untrusted = { outcome: 'failure', reason: 'tls', fault: 'expired', durationMs: 1 }
    const delivered = { outcome: 'success', status: 204, durationMs: 1 }
    expect(lines().map(withoutTime)).to.deep.equal([
      { level: 'warn', ...key, attempt: 1, ...failed, msg: 'Webhook delivery attempt failed' },
      { level: 'warn', ...key, attempt: 2, ...untrusted, msg: 'Webhook delivery attempt failed' },
      { level: 'info', ...key, attempt: 3, ...delivered, msg: 'Webhook delivered' },
    ])
    expect(await metricOf(registry, givenUpTotal)).to.equal(0)
  })

  it('each event that is given up in one line and as one in a metric, with the reason', async () => {
    const clock = createTestClock()
    const { log, lines } = captureLog()
    const tenantId = await queue.addTenant()
    const [failing, lost] = (await queue.addDeliveries(tenantId, 2, clock())) as [string, string]
    await queue.query('update delivery set attempts = 2')
    await queue.query(
      `update delivery set state = 'in_flight', attempts = 3, due_at = $1 where verification_id = $2`,
      [new Date(clock().getTime() - 1), lost],
    )
    const withoutUrl = await queue.addTenant({ url: null })
    const unsendable = await queue.addDeliveries(withoutUrl, 2, clock())
    const expired = await queue.addDelivery(tenantId, new Date(clock().getTime() - 24 * 60 * 60_000))
    const registry = new Registry()
    queue.startWorker({ sender: createFakeSender(() => serverError), clock, log, registry })
    await queue.untilState(failing, 'failed')
    const msg = 'Webhook event given up'
    const givenUp = () => lines().filter(line => line.msg === msg)
    await eventually(() => givenUp().length === 5)
    const given = { level: 'warn', tenantId, msg }
    expect(givenUp().map(withoutTime)).to.have.deep.members([
      { ...given, verificationId: failing, reason: 'attempts_failed' },
      { ...given, verificationId: lost, reason: 'worker_lost' },
      ...unsendable.map(id => ({ ...given, tenantId: withoutUrl, verificationId: id, reason: 'no_url' })),
      { ...given, verificationId: expired, reason: 'expired' },
    ])
    await eventually(() => metricOf(registry, givenUpTotal), { until: count => count === 5 })
    for (const [reason, count] of Object.entries({
      attempts_failed: 1,
      worker_lost: 1,
      no_url: 2,
      expired: 1,
    })) {
      expect(await metricOf(registry, givenUpTotal, { reason }), reason).to.equal(count)
    }
  })

  it('metrics: attempts by outcome, and deliveries waiting', async () => {
    const tenantId = await queue.addTenant()
    const clock = createTestClock()
    await queue.addDeliveries(tenantId, 10, clock())
    await queue.addDelivery(tenantId, new Date(clock().getTime() + 1_000))
    clock.advance(30_000)
    const registry = new Registry()
    const gate = Promise.withResolvers<void>()
    const sender = createFakeSender(async () => {
      await gate.promise
      return sender.requests.length <= 8 ? serverError : success
    })
    queue.startWorker({ sender, clock, registry })
    await eventually(() => sender.inFlight === 8)
    const busy = await registry.metrics()
    expect(busy).to.include('age_verification_webhook_waiting 3\n')
    expect(busy).to.include('age_verification_webhook_oldest_waiting_seconds 30\n')
    expect(busy).to.include('age_verification_webhook_attempts_total{outcome="timeout"} 0\n')
    gate.resolve()
    await eventually(async () => (await queue.deliveries(tenantId)).every(row => row.attempts === 1))
    // What waits is counted once a second.
    const isIdle = (text: string) => text.includes('_oldest_waiting_seconds 0\n')
    const idle = await eventually(() => registry.metrics(), { until: isIdle })
    expect(idle).to.match(/age_verification_webhook_attempts_total\{outcome="status"\} [1-8]\n/)
  })
})
