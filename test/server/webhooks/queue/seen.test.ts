import { once } from 'node:events'
import { expect } from 'chai'
import Koa from 'koa'
import { Registry } from 'prom-client'
import { createMetricsRegistry, serveMetrics } from '#server/http/metrics.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import {
  type Fixture,
  fakeSender,
  openFixture,
  recordingLog,
  refusal,
  success,
  until,
  useWorkers,
} from './fixture.ts'

describe('what an operator sees of deliveries', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  before(async () => {
    fixture = await openFixture()
  })
  beforeEach(() => fixture.clear())
  after(() => fixture.close())

  it('is a line in the log for each attempt, without URL, body or secret', async () => {
    const secret = 'whsec_not in any log'
    const tenant = await fixture.addTenant({ url: 'https://receiver.test/?token=hidden', secrets: [secret] })
    const [id] = await fixture.addEvents(tenant.id)
    const log = recordingLog()
    const sender = fakeSender(() => (sender.attempts.length === 1 ? refusal : success))
    const clock = createTestClock()
    startWorker(fixture, { sender, clock, log })
    await until(async () => (await fixture.row(id!))?.state === 'pending' && sender.attempts.length === 1)
    clock.advance(66_000)
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    const ids = { verificationId: id, tenantId: tenant.id, type: 'verification.completed' }
    expect(log.lines).to.deep.equal([
      {
        level: 'warn',
        fields: { ...ids, attempt: 1, outcome: 'failure', status: 500, reason: 'status', durationMs: 1 },
        message: 'An attempt to deliver an event failed',
      },
      {
        level: 'info',
        fields: { ...ids, attempt: 2, outcome: 'success', status: 204, durationMs: 1 },
        message: 'An event was delivered',
      },
    ])
  })

  it('are attempts by outcome, the delay of first attempts, and what waits and is in flight', async () => {
    const tenant = await fixture.addTenant()
    const clock = createTestClock()
    await fixture.addEvents(tenant.id, 10, clock())
    await fixture.addEvents(tenant.id, 1, new Date(clock().getTime() + 1_000))
    clock.advance(30_000)
    const registry = new Registry()
    const metrics = createDeliveryMetrics({ registry, pool: fixture.pool, clock })
    const gate = Promise.withResolvers<void>()
    const sender = fakeSender(async () => {
      await gate.promise
      return sender.attempts.length <= 8 ? refusal : success
    })
    startWorker(fixture, { sender, clock, metrics })
    await until(() => sender.underWay === 8)
    const busy = await registry.metrics()
    expect(busy).to.include('webhook_in_flight 8\n')
    expect(busy).to.include('webhook_waiting 3\n')
    expect(busy).to.include('webhook_oldest_waiting_seconds 30\n')
    expect(busy).to.include('webhook_first_attempt_delay_seconds_bucket{le="15"} 0\n')
    expect(busy).to.include('webhook_first_attempt_delay_seconds_bucket{le="60"} 8\n')
    expect(busy).to.include('webhook_attempts_total{outcome="timeout"} 0\n')
    gate.resolve()
    await until(async () => (await fixture.rows(tenant.id)).every(row => row.attempts === 1))
    await until(async () => (await registry.metrics()).includes('webhook_in_flight 0\n'))
    const idle = await registry.metrics()
    expect(idle).to.match(/webhook_attempts_total\{outcome="status"\} [1-8]\n/)
    expect(idle).to.include('webhook_first_attempt_delay_seconds_count 11\n')
    expect(idle).to.include('webhook_oldest_waiting_seconds 0\n')
  })

  it('stays readable without the database', async () => {
    const pool = {
      query: () => Promise.reject(new Error('away')),
      connect: () => Promise.reject(new Error('away')),
    }
    const registry = createMetricsRegistry()
    createDeliveryMetrics({ registry, pool, clock: () => new Date() })
    const app = new Koa().use(serveMetrics(registry))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as { port: number }
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/)
      const text = await answer.text()
      expect(text).to.include('webhook_waiting Nan\n')
      expect(text).to.include('process_cpu_seconds_total')
      expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).to.equal(404)
      expect((await fetch(`http://127.0.0.1:${port}/other`)).status).to.equal(404)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
