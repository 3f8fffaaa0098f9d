import type { WorkKind } from '#domain/ports.ts'
import { createTaskLock } from '../background/task-lock.ts'
import { createTaskMetrics } from '../background/task-metrics.ts'
import { runTasks } from '../background/task-runner.ts'
import { tasks } from '../background/tasks.ts'
import { allowedNetworks } from '../configuration/rules.ts'
import type { Services } from '../services.ts'
import { createWebhookSender } from '../webhooks/http/webhook-sender.ts'
import { runDeliveryWorker } from '../webhooks/queue/delivery-worker.ts'

/** Delivers webhook events and runs the background tasks until it is closed. */
export function startWorker(services: Services) {
  const { config, dependencies, database, cipher, clock, registry, rules, scopeFor, log } = services
  const { pool } = database
  const sender = createWebhookSender({
    allowedNetworks: allowedNetworks(config),
    caFile: dependencies.receiverAuthorities,
  })
  const { retryDelaysMs } = rules
  const parts = { pool, cipher, clock, log, sender, registry, retryDelaysMs }
  const deliveries = runDeliveryWorker(parts)
  const background = runTasks({
    tasks,
    lock: createTaskLock(pool),
    scopeFor: () => scopeFor({ kind: 'service' }),
    log,
    onRun: createTaskMetrics(registry, tasks, clock),
  })
  return {
    wake(work: WorkKind): void {
      if (work === 'deliveries') deliveries.wake()
      else background.wake(work)
    },
    /** Finishes the work in progress. */
    async close(): Promise<void> {
      await Promise.all([deliveries.close(), background.close()])
      await sender.close()
    },
  }
}
