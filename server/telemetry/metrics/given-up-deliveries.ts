import { Counter, type Registry } from 'prom-client'
import { type GivenUpReason, givenUpReasons } from '#domain/webhook/log-given-up.ts'

const name = 'age_verification_webhook_deliveries_given_up_total'

/** Returns the function that counts deliveries that were given up. All those of a registry share one counter. */
export function givenUpDeliveries(registry: Registry): (reason: GivenUpReason, count?: number) => void {
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
  for (const reason of givenUpReasons) counter.inc({ reason }, 0)
  return counter
}
