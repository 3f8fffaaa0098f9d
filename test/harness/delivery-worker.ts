import type { Log } from '#server/logging/log.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { type DeliveryWorker, runDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import type { TestService } from './test-service.ts'

/** Starts a worker that sends the service's webhook events with the sender, each failed one again after 1 ms. */
export function startDeliveryWorker(
  { services }: TestService,
  { sender, log }: { sender: WebhookSender; log: Log },
): DeliveryWorker {
  const { database, cipher, clock, registry } = services
  const { pool } = database
  return runDeliveryWorker({
    pool,
    cipher,
    clock,
    log,
    sender,
    registry,
    retryDelaysMs: [1, 1],
  })
}
