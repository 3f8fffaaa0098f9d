/**
 * A worker in a process of its own, which kills itself at a step of its first attempt, as `kill -9` would.
 * Arguments: the database's URL, the step, and by how many milliseconds its clock is ahead.
 */
import { Registry } from 'prom-client'
import { openDatabase } from '#domain/database/open-database.ts'
import type { ClaimPool } from '#domain/webhook/claim-lock.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { createDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import { createTestSender } from '#test/server/webhooks/http/fixture.ts'
import { cipher, retryDelaysMs } from '#test/server/webhooks/queue/fixture.ts'
import { createRecordingLog } from '#test/server/webhooks/queue/recording-log.ts'

const [url, step, aheadMs] = process.argv.slice(2) as [string, string, string]
const { pool } = await openDatabase({ url, poolSize: 4 })
const clock = () => new Date(Date.now() + Number(aheadMs))
createDeliveryWorker({
  pool: dyingPool(pool as ClaimPool),
  cipher,
  clock,
  log: createRecordingLog(),
  sender: dyingSender(createTestSender({ deadlineMs: 5_000 })),
  metrics: createDeliveryMetrics({ registry: new Registry(), pool, clock }),
  retryDelaysMs,
}).start()

function dyingPool(living: ClaimPool): ClaimPool {
  return {
    async query(statement) {
      if (statement.name === 'record-outcomes') dieAt('before the result is stored')
      return await living.query(statement)
    },
    async connect() {
      const connection = await living.connect()
      const query = async (statement: never) => {
        if (statement === 'commit') dieAt('before the count')
        return await connection.query(statement)
      }
      return { query, release: (isBroken?: boolean) => connection.release(isBroken) } as typeof connection
    },
  }
}

function dyingSender(living: WebhookSender): WebhookSender {
  return {
    async send(attempt) {
      dieAt('after the count')
      return await living.send(attempt)
    },
    close: () => living.close(),
  }
}

function dieAt(place: string): void {
  if (place === step) process.kill(process.pid, 'SIGKILL')
}
