import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import { countWaiting, type Waiting } from '#domain/webhook/count-waiting.ts'
import type { FailureReason } from '../http/attempt-error.ts'

export interface DeliveryMetrics {
  attemptCompleted(outcome: AttemptOutcomeLabel): void
  /** Seconds from the event's commit to its first attempt. */
  firstAttemptStarted(delaySeconds: number): void
  setInFlight(deliveries: number): void
}

/** `error`: the attempt was ended by an internal error. */
export type AttemptOutcomeLabel = 'success' | FailureReason | 'error'

const outcomeLabels: Record<AttemptOutcomeLabel, true> = {
  success: true,
  status: true,
  timeout: true,
  dns: true,
  tls: true,
  connect: true,
  blocked_address: true,
  error: true,
}

export interface DeliveryMetricsOptions {
  registry: Registry
  pool: StatementPool
  clock: Clock
}

/** Attempts and deliveries in flight are counted in this process; waiting deliveries are read from the table. */
export function createDeliveryMetrics({ registry, pool, clock }: DeliveryMetricsOptions): DeliveryMetrics {
  const registers = [registry]
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Webhook delivery attempts completed by this process, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of Object.keys(outcomeLabels)) attempts.inc({ outcome }, 0)
  const firstAttemptDelay = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: "Seconds from a webhook event's commit to its first delivery attempt",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600],
    registers,
  })
  const inFlight = new Gauge({
    name: 'webhook_in_flight',
    help: 'Webhook deliveries in flight in this process',
    registers,
  })
  addWaitingGauges(registers, () => countWaiting(pool, clock()))
  return {
    attemptCompleted: outcome => attempts.inc({ outcome }),
    firstAttemptStarted: delaySeconds => firstAttemptDelay.observe(Math.max(0, delaySeconds)),
    setInFlight: deliveries => inFlight.set(deliveries),
  }
}

/** Both gauges share one query per scrape; they are NaN while the database is unavailable. */
function addWaitingGauges(registers: Registry[], count: () => Promise<Waiting>): void {
  let query: Promise<Waiting> | undefined
  const shared = (): Promise<Waiting> => {
    query ??= count()
      .catch(() => ({ waiting: Number.NaN, overdueMs: Number.NaN }))
      .finally(() => {
        query = undefined
      })
    return query
  }
  new Gauge({
    name: 'webhook_waiting',
    help: 'Webhook deliveries of all processes that wait for an attempt, due or not; counted up to 100,000',
    registers,
    async collect() {
      this.set((await shared()).waiting)
    },
  })
  new Gauge({
    name: 'webhook_oldest_waiting_seconds',
    help: 'Seconds since the oldest due webhook delivery became due',
    registers,
    async collect() {
      this.set((await shared()).overdueMs / 1_000)
    },
  })
}
