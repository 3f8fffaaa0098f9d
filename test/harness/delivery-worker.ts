import type { Log } from '#server/logging/log.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { createDeliveryWorker, type DeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import type { TestService } from './test-service.ts'

/** Starts a worker that sends the service's webhook events with the sender, each failed one again after 1 ms. */
export function startDeliveryWorker(
  { services }: TestService,
  { sender, log }: { sender: WebhookSender; log: Log },
): DeliveryWorker {
  const { database, cipher, clock, registry, tracing } = services
  const { pool } = database
  const worker = createDeliveryWorker({
    pool,
    cipher,
    clock,
    log,
    sender,
    metrics: createDeliveryMetrics({ registry, pool, clock }),
    retryDelaysMs: [1, 1],
    ...(tracing ? { traceparent: tracing.traceparent } : {}),
  })
  worker.start()
  return worker
}
