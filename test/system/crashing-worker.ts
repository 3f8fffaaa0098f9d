/**
 * A worker in a separate process, which kills itself with SIGKILL at a step of its first attempt.
 * Arguments: the database's URL, the step, and the milliseconds by which its clock is ahead.
 */
import { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { createLog } from '#server/logging/log.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { runDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import { createTestSender } from '#test/server/webhooks/http/fixture.ts'
import { cipher, retryDelaysMs } from '#test/server/webhooks/queue/fixture.ts'

const [url, step, aheadMs] = process.argv.slice(2) as [string, string, string]
const { pool } = await openDatabase({ url, poolSize: 4 })
const clock = () => new Date(Date.now() + Number(aheadMs))
runDeliveryWorker({
  pool: crashingPool(pool),
  cipher,
  clock,
  log: createLog('silent'),
  sender: crashingSender(createTestSender({ deadlineMs: 5_000 })),
  registry: new Registry(),
  retryDelaysMs,
})

function crashingPool(real: StatementPool): StatementPool {
  return {
    async query(statement) {
      if (statement.name === 'claim-deliveries') crashAt('before the count')
      if (statement.name === 'record-outcomes') crashAt('before the result is stored')
      return await real.query(statement)
    },
  }
}

function crashingSender(real: WebhookSender): WebhookSender {
  return {
    async send(attempt) {
      crashAt('after the count')
      return await real.send(attempt)
    },
    close: () => real.close(),
  }
}

function crashAt(reached: string): void {
  if (reached === step) process.kill(process.pid, 'SIGKILL')
}
