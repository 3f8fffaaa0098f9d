import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Cipher } from '#domain/ports.ts'
import { claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { findHangingTenants } from '#domain/webhook/find-hanging-tenants.ts'
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
  /** Concurrent deliveries of this process; 512 by default, because a waiting socket costs next to nothing. */
  concurrency?: number
  /** Concurrent deliveries of one tenant, over all processes; 8 by default. */
  concurrencyPerTenant?: number
  /** Interval of polling for retries, and for what other processes have written; 500 by default. */
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
  const { log, pollMs = 500 } = options
  const signal = new WakeSignal()
  const closing = new AbortController()
  const closed = new AbortController()
  const context = createContext(options, signal.wake, closing.signal, closed.signal)
  const failures = createFailureLog(log, 'deliver events')
  let sweptAt = Number.NEGATIVE_INFINITY
  let knowsHanging = false
  const running = run()

  async function run(): Promise<void> {
    while (!closing.signal.aborted) await signal.wait(await pollOrRetry())
  }

  /** Returns how long to wait for a wake-up before the next poll, in milliseconds. */
  async function pollOrRetry(): Promise<number> {
    try {
      const isMoreDue = await poll()
      failures.succeeded()
      return isMoreDue ? 0 : pollMs
    } catch (error) {
      failures.failed(error)
      return pollMs
    }
  }

  /** Returns whether more than was claimed may be due. */
  async function poll(): Promise<boolean> {
    if (performance.now() - sweptAt >= pollMs) {
      sweptAt = performance.now()
      await makeDue(context)
    }
    if (!knowsHanging) await learnHanging(context)
    knowsHanging = true
    return await claimAndProcess(context)
  }

  async function drain(): Promise<void> {
    await running
    await context.inFlight.drain()
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

function createContext(
  options: DeliveryWorkerOptions,
  wake: () => void,
  closing: AbortSignal,
  closed: AbortSignal,
): DeliveryContext {
  const { cipher, log, concurrency = 512, concurrencyPerTenant = 8 } = options
  const metrics = createDeliveryMetrics(options)
  return {
    random: Math.random,
    ...options,
    metrics,
    sign: createRequestSigner(cipher),
    inFlight: createInFlightDeliveries({
      concurrency,
      concurrencyPerTenant,
      onFinished: wake,
    }),
    failures: createFailureLog(log, 'store the outcomes of deliveries'),
    closing,
    closed,
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

/** Once, so that after a restart receivers that hang don't have to be found out one after the other. */
async function learnHanging({ pool, inFlight }: DeliveryContext): Promise<void> {
  for (const tenantId of await findHangingTenants(pool)) inFlight.recordResult(tenantId, true)
}

/** Claims what is due and fits into the capacity, and starts processing it. Returns whether more may be due. */
async function claimAndProcess(context: DeliveryContext): Promise<boolean> {
  const { pool, clock, inFlight, closing } = context
  const limits = inFlight.claimLimits()
  if (closing.aborted || limits.limit === 0) return false
  const claimedAt = clock()
  const claimed = await claimDeliveries(pool, claimedAt, limits)
  for (const delivery of claimed) {
    inFlight.run(delivery, () => processDelivery(delivery, claimedAt, context))
  }
  if (claimed.length < limits.limit) return false
  await sleep(betweenClaimsMs)
  return true
}
