import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Cipher } from '#domain/ports.ts'
import { claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { logGivenUp } from '#domain/webhook/log-given-up.ts'
import { makeDeliveriesDue } from '#domain/webhook/make-deliveries-due.ts'
import { createFailureLog } from '../../background/failure-log.ts'
import { WakeSignal } from '../../background/wake-signal.ts'
import { createDeliveryMetrics } from './delivery-metrics.ts'
import { createInFlightDeliveries } from './in-flight-deliveries.ts'
import { type DeliveryContext, type DeliveryServices, processDelivery } from './process-delivery.ts'
import { createRequestSigner } from './request-signer.ts'

export interface DeliveryWorker {
  /** Polls immediately: to be called after a commit that may have added deliveries. */
  wake(): void
  /** Stops claiming, drains what is in flight for at most 5.5 s, and releases what wasn't sent. Idempotent. */
  close(): Promise<void>
}

export interface DeliveryWorkerOptions extends DeliveryServices {
  cipher: Cipher
  registry: Registry
  random?: () => number
  /** Concurrent deliveries of this process; 2,048 by default, because a waiting socket costs little. */
  concurrency?: number
  /** Concurrent deliveries of one tenant, over all processes; 8 by default. */
  concurrencyPerTenant?: number
  /** Interval of polling for retries, and for due deliveries that no wake-up announced; 500 by default. */
  pollMs?: number
}

/** The 5 s of an attempt, and half a second to store its outcome. */
const drainTimeoutMs = 5_500

/** Between two claims of a backlog deliveries end, so that the next one has more of each tenant. */
const betweenClaimsMs = 10

/**
 * Sends webhook events as they become due, until it is closed. The row in the table is the job: it is claimed with a lease,
 * its attempt is counted before it is sent, and its outcome is stored only with the claim's fencing token. Any number
 * of workers can run concurrently; a killed worker loses nothing.
 */
export function runDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { pool, clock, log, pollMs = 500, concurrency = 2_048, concurrencyPerTenant = 8 } = options
  const signal = new WakeSignal()
  const closing = new AbortController()
  const closed = new AbortController()
  const context: DeliveryContext = {
    random: Math.random,
    ...options,
    metrics: createDeliveryMetrics(options),
    sign: createRequestSigner(options.cipher),
    failures: createFailureLog(log, 'store the outcomes of deliveries'),
    closing: closing.signal,
    closed: closed.signal,
  }
  const inFlight = createInFlightDeliveries({ concurrency, concurrencyPerTenant, onFinished: signal.wake })
  const failures = createFailureLog(log, 'deliver events')
  let sweptAt = Number.NEGATIVE_INFINITY
  const running = run()

  async function run(): Promise<void> {
    while (!closing.signal.aborted) await signal.wait(await poll())
  }

  /** Returns how long to wait for a wake-up before the next poll, in milliseconds. */
  async function poll(): Promise<number> {
    try {
      if (performance.now() - sweptAt >= pollMs) {
        sweptAt = performance.now()
        await makeDue(context)
      }
      const isMoreDue = await claim()
      failures.succeeded()
      if (isMoreDue) await sleep(betweenClaimsMs)
      return isMoreDue ? 0 : pollMs
    } catch (error) {
      failures.failed(error)
      return pollMs
    }
  }

  /** Claims what is due and fits into the capacity, and starts processing it. Returns whether more may be due. */
  async function claim(): Promise<boolean> {
    const limits = inFlight.claimLimits()
    if (closing.signal.aborted || limits.limit === 0) return false
    const claimedAt = clock()
    const claimed = await claimDeliveries(pool, claimedAt, limits)
    for (const delivery of claimed) {
      inFlight.run(delivery, () => processDelivery(delivery, claimedAt, context))
    }
    return claimed.length === limits.limit
  }

  async function drain(): Promise<void> {
    await running
    await inFlight.drain()
  }

  return {
    wake: signal.wake,
    async close() {
      closing.abort()
      signal.wake()
      const drained = new AbortController()
      await Promise.race([drain(), sleep(drainTimeoutMs, undefined, { signal: drained.signal })])
      drained.abort()
      closed.abort()
    },
  }
}

/** Makes retries due, and the deliveries of killed workers, or gives these up after their last attempt. */
async function makeDue({ pool, clock, log, metrics }: DeliveryContext): Promise<void> {
  const { due, failed } = await makeDeliveriesDue(pool, clock())
  metrics.givenUp('worker_lost', failed.length)
  for (const { tenantId, verificationId } of due) {
    log.warn({ tenantId, verificationId }, 'Webhook delivery reclaimed: the lease of its worker expired')
  }
  for (const delivery of failed) logGivenUp(log, delivery, 'worker_lost')
}
