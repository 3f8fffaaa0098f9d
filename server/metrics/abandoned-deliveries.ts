import { Counter, type Registry } from 'prom-client'

/**
 * Why a delivery is not attempted again without having succeeded: its third attempt failed, or was lost with its worker;
 * 24 hours have passed; or the tenant has no webhook URL any more.
 */
export const abandonReasons = ['attempts_failed', 'worker_lost', 'expired', 'no_url'] as const
export type AbandonReason = (typeof abandonReasons)[number]

const name = 'age_verification_webhook_deliveries_abandoned_total'

/** Returns the function that counts abandoned deliveries. All those of a registry share one counter. */
export function abandonedDeliveries(registry: Registry): (reason: AbandonReason, count?: number) => void {
  const existing = registry.getSingleMetric(name) as Counter<'reason'> | undefined
  const counter = existing ?? createCounter(registry)
  return (reason, count = 1) => counter.inc({ reason }, count)
}

function createCounter(registry: Registry): Counter<'reason'> {
  const counter = new Counter({
    name,
    help: 'Webhook deliveries that this process gave up, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of abandonReasons) counter.inc({ reason }, 0)
  return counter
}
