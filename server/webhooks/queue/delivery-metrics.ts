import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import { countWaiting, type Waiting } from '#domain/webhook/count-waiting.ts'
import type { FailureReason } from '../http/attempt-failure.ts'

/** `error`: the attempt broke off for a fault of this service. */
export type AttemptLabel = 'success' | FailureReason | 'error'

export interface DeliveryMetrics {
  attemptEnded(outcome: AttemptLabel): void
  /** Seconds from the event's commit to its first attempt. */
  firstAttemptBegan(seconds: number): void
  inFlight(deliveries: number): void
}

const labels: Record<AttemptLabel, true> = {
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

/** The figures of deliveries. Attempts and flights are this process's; what waits is read from the table. */
export function createDeliveryMetrics({ registry, pool, clock }: DeliveryMetricsOptions): DeliveryMetrics {
  const registers = [registry]
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event that this process has ended, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of Object.keys(labels)) attempts.inc({ outcome }, 0)
  const firstAttempt = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: "Time from an event's commit to its first attempt",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600],
    registers,
  })
  const inFlight = new Gauge({
    name: 'webhook_in_flight',
    help: 'Attempts that this process is making',
    registers,
  })
  addWaitingGauges(registers, () => countWaiting(pool, clock()))
  return {
    attemptEnded: outcome => attempts.inc({ outcome }),
    firstAttemptBegan: seconds => firstAttempt.observe(Math.max(0, seconds)),
    inFlight: deliveries => inFlight.set(deliveries),
  }
}

/** Both gauges of a scrape share one look at the table; without a database they are not a number. */
function addWaitingGauges(registers: Registry[], count: () => Promise<Waiting>): void {
  let look: Promise<Waiting> | undefined
  const share = (): Promise<Waiting> => {
    look ??= count()
      .catch(() => ({ waiting: Number.NaN, overdueMs: Number.NaN }))
      .finally(() => {
        look = undefined
      })
    return look
  }
  new Gauge({
    name: 'webhook_waiting',
    help: 'Deliveries of all processes that wait for an attempt, due or not; counted to 100,000',
    registers,
    async collect() {
      this.set((await share()).waiting)
    },
  })
  new Gauge({
    name: 'webhook_oldest_waiting_seconds',
    help: 'For how long the longest due delivery has been due',
    registers,
    async collect() {
      this.set((await share()).overdueMs / 1_000)
    },
  })
}
