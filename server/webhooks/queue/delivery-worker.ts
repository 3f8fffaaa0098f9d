import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import { deliveryLease } from '#domain/lease/worker-lease.policy.ts'
import type { Cipher } from '#domain/ports.ts'
import { claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { findHangingTenants } from '#domain/webhook/find-hanging-tenants.ts'
import { logGivenUp } from '#domain/webhook/log-given-up.ts'
import { makeDeliveriesDue } from '#domain/webhook/make-deliveries-due.ts'
import { WakeSignal } from '../../background/wake-signal.ts'
import type { WorkerLeases } from '../../background/worker-leases.ts'
import { createDatabaseBackoff } from './database-backoff.ts'
import { createInFlightDeliveries } from './in-flight-deliveries.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import { type DeliveryContext, type DeliveryServices, processDelivery } from './process-delivery.ts'
import { createRequestSigner } from './request-signer.ts'

export interface DeliveryWorker {
  start(): void
  /**
   * Polls immediately: to be called after a commit that may have added deliveries. A notification that all workers
   * receive is left to the owner of the lease.
   */
  wake(isForAll?: boolean): void
  /** Stops claiming, drains what is in flight for at most 5.5 s, and releases what wasn't sent. Idempotent. */
  close(): Promise<void>
}

export interface DeliveryWorkerOptions extends DeliveryServices {
  pool: StatementPool
  cipher: Cipher
  random?: () => number
  /** Concurrent deliveries of this process; 512 by default, because a waiting socket costs next to nothing. */
  concurrency?: number
  /** Concurrent deliveries of one tenant, over all processes; 8 by default. */
  concurrencyPerTenant?: number
  /** Interval of polling for retries, and for due deliveries that no wake-up announced; 500 by default. */
  pollMs?: number
  /** With other workers, to agree which one polls and follows notifications; without, it is always this one. */
  leases?: WorkerLeases
  /** Notifies the other workers that more is due than this one delivers. */
  onBacklog?: () => void
  /** The trace context that each request has in its header; null where nothing is traced. */
  traceparent?: () => string | null
}

/** Between two claims of a backlog deliveries end, so that the next one has more of each tenant. */
const betweenClaimsMs = 10

/** The 5 s of an attempt, and half a second to store its outcome. */
const drainTimeoutMs = 5_500

/** How often a worker polls that doesn't own the lease, ± 20 %. */
const standbyPollMs = 5_000

/** The shortest time between two notifications of a backlog. */
const backlogIntervalMs = 500

/**
 * Sends webhook events as they become due. The row in the table is the job: it is claimed with a lease, its
 * attempt is counted before it is sent, and its outcome is stored only with the claim's fencing token. Any number
 * of workers can run concurrently; a killed worker loses nothing. One of them owns a lease: it polls, makes retries due and
 * follows notifications, so that not all workers look for the same delivery, and notifies the others of a backlog.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { pool, leases, pollMs = 500, random = Math.random } = options
  const signal = new WakeSignal()
  const closing = new AbortController()
  const context = createDeliveryContext(options, signal.wake, closing.signal)
  const sweep = atMostEvery(pollMs, () => makeDue(pool, context))
  const backoff = createDatabaseBackoff(options.log, 'claim')
  const notifyBacklog = atMostEvery(backlogIntervalMs, () => options.onBacklog?.())
  let running: Promise<void> | undefined
  let isOwner = leases === undefined
  let knowsHanging = false

  async function run(): Promise<void> {
    while (!closing.signal.aborted) await signal.wait(await poll())
  }

  /** Returns how long to wait for a wake-up before the next poll, in milliseconds. */
  async function poll(): Promise<number> {
    try {
      if (leases) isOwner = (await leases.acquire(deliveryLease.name, deliveryLease.durationMs)).isOwn
      if (isOwner) await sweep()
      if (!knowsHanging) await learnHanging()
      await claimAndProcess(pool, context, notifyBacklog)
      backoff.succeeded()
      return isOwner ? pollMs : standbyPollMs * (0.8 + 0.4 * random())
    } catch (error) {
      return backoff.failed(error)
    }
  }

  /** Once, so that after a restart receivers that hang don't have to be found out one after the other. */
  async function learnHanging(): Promise<void> {
    for (const tenantId of await findHangingTenants(pool)) context.inFlight.recordResult(tenantId, true)
    knowsHanging = true
  }

  async function drain(): Promise<void> {
    await running
    await context.inFlight.drain()
  }

  return {
    start: () => {
      running ??= run()
    },
    wake(isForAll = false) {
      if (isOwner || !isForAll) signal.wake()
    },
    async close() {
      closing.abort()
      signal.wake()
      const drained = new AbortController()
      await Promise.race([drain(), sleep(drainTimeoutMs, undefined, { signal: drained.signal })])
      drained.abort()
      context.outcomes.close()
    },
  }
}

function createDeliveryContext(
  options: DeliveryWorkerOptions,
  wake: () => void,
  closing: AbortSignal,
): DeliveryContext {
  const { pool, cipher, log, metrics, concurrency = 512, concurrencyPerTenant = 8 } = options
  return {
    traceparent: () => null,
    random: Math.random,
    ...options,
    sign: createRequestSigner(cipher),
    inFlight: createInFlightDeliveries({
      concurrency,
      concurrencyPerTenant,
      onChange: metrics.setInFlight,
      onFinished: wake,
    }),
    outcomes: createOutcomeWriter(pool, createDatabaseBackoff(log, 'record outcomes')),
    closing,
  }
}

/** Makes retries due, and the deliveries of killed workers, or gives these up after their last attempt. */
async function makeDue(pool: StatementPool, { clock, log, metrics }: DeliveryContext): Promise<void> {
  const { due, failed } = await makeDeliveriesDue(pool, clock())
  metrics.givenUp('worker_lost', failed.length)
  for (const { tenantId, verificationId } of due) {
    log.warn({ tenantId, verificationId }, 'Webhook delivery reclaimed: the lease of its worker expired')
  }
  for (const delivery of failed) logGivenUp(log, delivery, 'worker_lost')
}

/** Returns a function that calls the other one, unless it did so less than this time ago. */
function atMostEvery<Result>(intervalMs: number, call: () => Result): () => Result | undefined {
  let lastAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - lastAt < intervalMs) return undefined
    lastAt = performance.now()
    return call()
  }
}

/** Claims batches until the capacity is used or nothing more is due, and starts processing them. */
async function claimAndProcess(
  pool: StatementPool,
  context: DeliveryContext,
  notifyBacklog: () => void,
): Promise<void> {
  const { clock, closing, inFlight } = context
  while (!closing.aborted) {
    const limits = inFlight.claimLimits()
    if (limits.limit === 0) return notifyBacklog()
    const claimedAt = clock()
    const claimed = await claimDeliveries(pool, claimedAt, limits)
    for (const delivery of claimed) {
      inFlight.run(delivery, () => processDelivery(delivery, claimedAt, context))
    }
    if (claimed.length < limits.limit) return
    notifyBacklog()
    await sleep(betweenClaimsMs)
  }
}
