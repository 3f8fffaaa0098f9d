import type { WorkerNotifier } from '#domain/ports.ts'
import { allowedNetworks } from '../rules.ts'
import type { Services } from '../services.ts'
import { createWebhookSender } from '../webhooks/http/webhook-sender.ts'
import { createDeliveryMetrics } from '../webhooks/queue/delivery-metrics.ts'
import { createDeliveryWorker } from '../webhooks/queue/delivery-worker.ts'
import { runTasks } from './task-runner.ts'
import { tasks } from './tasks.ts'

export interface Worker {
  wake: WorkerNotifier['notify']
  /** Finishes the work in progress and releases the leases of the rest. */
  close(): Promise<void>
}

/** Delivers webhook events and runs the background tasks until it is closed. */
export function startWorker(services: Services): Worker {
  const { config, dependencies, database, cipher, clock, registry, rules, scopeFor, log } = services
  const { pool } = database
  const sender = createWebhookSender({
    allowedNetworks: allowedNetworks(config),
    caFile: dependencies.receiverAuthorities,
  })
  const metrics = createDeliveryMetrics({ registry, pool, clock })
  const { retryDelaysMs } = rules
  const deliveries = createDeliveryWorker({ pool, cipher, clock, log, sender, metrics, retryDelaysMs })
  deliveries.start()
  const background = runTasks(tasks, () => scopeFor({ kind: 'service' }), log)
  return {
    wake(work) {
      if (work === 'deliveries') deliveries.wake()
      else background.wake(work)
    },
    async close() {
      await Promise.all([deliveries.close(), background.close()])
      await sender.close()
    },
  }
}
