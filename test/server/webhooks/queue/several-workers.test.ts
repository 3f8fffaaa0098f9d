import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createFakeSender } from './fake-sender.ts'
import { useQueueFixture } from './fixture.ts'
import { interceptPool } from './intercept-pool.ts'

describe('Several delivery workers', () => {
  const queue = useQueueFixture()

  it('each deliver at once what their own process has written', async () => {
    const tenantId = await queue.addTenant()
    const senders = [createFakeSender(), createFakeSender()]
    const workers = senders.map(sender => startWorker(sender, { pollMs: 60_000 }))
    await eventually(() => workers.every(({ searches }) => searches() > 0))
    for (const [index, { worker }] of workers.entries()) {
      // Another worker that has just finished one may claim this one, too.
      await eventually(async () => {
        await queue.addDelivery(tenantId)
        worker.wake()
        return senders[index]!.requests.length > 0
      })
    }
  })

  /** Counts how often it looks for deliveries. */
  function startWorker(sender: WebhookSender, options: Partial<Parameters<typeof queue.startWorker>[0]>) {
    let count = 0
    const pool = interceptPool(queue.pool, (statement, send) => {
      if (statement.name === 'claim-deliveries') count += 1
      return send()
    })
    const worker = queue.startWorker({ ...options, sender, pool })
    return { worker, searches: () => count }
  }
})
