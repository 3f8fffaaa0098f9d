import { Counter, Gauge, type Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import { countWaiting, type Waiting } from '#domain/webhook/count-waiting.ts'
import { failureReasons } from '#domain/webhook/delivery-failure.ts'
import { countFailingReceivers } from '#domain/webhook/delivery-health.ts'
import type { GivenUpReason } from '#domain/webhook/log-given-up.ts'
import { countGivenUp } from '../../telemetry/domain-metrics.ts'

export interface DeliveryMetrics {
  attemptCompleted(outcome: AttemptOutcome): void
  givenUp(reason: GivenUpReason, count?: number): void
}

/** `error`: the attempt was ended by an internal error. */
const outcomes = ['success', ...failureReasons, 'error'] as const
type AttemptOutcome = (typeof outcomes)[number]

export interface DeliveryMetricsOptions {
  registry: Registry
  pool: StatementPool
  clock: Clock
}

/** Attempts are counted in this process; waiting deliveries are read from the table. */
export function createDeliveryMetrics({ registry, pool, clock }: DeliveryMetricsOptions): DeliveryMetrics {
  const registers = [registry]
  const attempts = new Counter({
    name: 'age_verification_webhook_attempts_total',
    help: 'Webhook delivery attempts completed by this process, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of outcomes) attempts.inc({ outcome }, 0)
  addWaitingGauges(registers, () => countWaiting(pool, clock()))
  const failing = cacheBriefly(failingCachedMs, () => countFailingReceivers(pool, clock()))
  new Gauge({
    name: 'age_verification_webhook_failing_receivers',
    help: 'Tenants whose receivers have accepted no event for an hour, with attempts that failed',
    registers,
    async collect() {
      this.set(await failing(undefined, performance.now()).catch(() => Number.NaN))
    },
  })
  return {
    attemptCompleted: outcome => attempts.inc({ outcome }),
    givenUp: countGivenUp(registry),
  }
}

/** It looks at every tenant, and changes slowly. */
const failingCachedMs = 60_000

/** How long what waits isn't counted again, so that requests of anyone cost one query a second. */
const cachedMs = 1_000

/** Both gauges share a query; they are NaN while the database is unavailable. */
function addWaitingGauges(registers: Registry[], count: () => Promise<Waiting>): void {
  const cached = cacheBriefly(cachedMs, count)
  const shared = () =>
    cached(undefined, performance.now()).catch(() => ({ waiting: Number.NaN, overdueMs: Number.NaN }))
  new Gauge({
    name: 'age_verification_webhook_waiting',
    help: 'Webhook deliveries of all processes that wait for an attempt, due or not; counted up to 100,000',
    registers,
    async collect() {
      this.set((await shared()).waiting)
    },
  })
  new Gauge({
    name: 'age_verification_webhook_oldest_waiting_seconds',
    help: 'Seconds since the oldest due webhook delivery became due',
    registers,
    async collect() {
      this.set((await shared()).overdueMs / 1_000)
    },
  })
}
