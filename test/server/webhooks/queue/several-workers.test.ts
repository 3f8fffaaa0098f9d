import type { StatementPool } from '#domain/database/statement.ts'
import { createWorkerLeases } from '#server/background/worker-leases.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { createFakeSender, success } from './fake-sender.ts'
import { useQueueFixture } from './fixture.ts'
import { interceptPool } from './intercept-pool.ts'

describe('Several delivery workers', () => {
  const queue = useQueueFixture()
  beforeEach(() => queue.query('delete from lease'))

  it('each deliver at once what their own process has written', async () => {
    const tenantId = await queue.addTenant()
    const senders = [createFakeSender(), createFakeSender()]
    const workers = senders.map(sender => startWorker(sender))
    await eventually(() => workers.every(({ searches }) => searches() > 0))
    for (const [index, { worker }] of workers.entries()) {
      // Another worker may come across a delivery by its own polling.
      await eventually(async () => {
        await queue.addDelivery(tenantId)
        worker.wake()
        return senders[index]!.requests.length > 0
      })
    }
  })

  it('share a backlog that one of them cannot deliver alone', async () => {
    const tenants = await queue.addTenants(6)
    const result = Promise.withResolvers<typeof success>()
    const sender = createFakeSender(() => result.promise)
    const workers = Array.from({ length: 3 }, () => startWorker(sender, { concurrency: 2, pollMs: 500 }))
    await eventually(() => workers.every(({ searches }) => searches() > 0))
    for (const id of tenants) await queue.addDelivery(id)
    for (const { worker } of workers) worker.wake()
    await eventually(() => sender.inFlight === 6)
    result.resolve(success)
  })

  it('take the lease of one that was killed, when it has expired', async () => {
    const tenantId = await queue.addTenant()
    const clock = createTestClock()
    let isKilled = false
    const killable: StatementPool = {
      query: statement => (isKilled ? new Promise(() => {}) : queue.pool.query(statement)),
    }
    const killed = startWorker(createFakeSender(), { pool: killable, clock })
    await eventually(() => killed.searches() > 0)
    const sender = createFakeSender()
    const other = startWorker(sender, { clock })
    await eventually(() => other.searches() > 0)
    isKilled = true
    clock.advance(6_000)
    await queue.addDelivery(tenantId, clock())
    // Its next poll, within 6 s, acquires the lease.
    await eventually(() => sender.requests.length === 1)
  })

  /** A worker that polls only every minute while it owns the lease; counts how often it looks for deliveries. */
  function startWorker(
    sender: WebhookSender,
    options: Partial<Parameters<typeof queue.startWorker>[0]> = {},
  ) {
    const { clock = () => new Date() } = options
    let count = 0
    const pool = interceptPool(options.pool ?? queue.pool, (statement, send) => {
      if (statement.name === 'claim-deliveries') count += 1
      return send()
    })
    const leases = createWorkerLeases(pool, clock)
    const worker = queue.startWorker({ pollMs: 60_000, ...options, sender, pool, clock, leases })
    return { worker, searches: () => count }
  }
})
