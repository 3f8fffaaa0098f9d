import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cipher, Clock } from '#domain/ports.ts'
import { type ClaimedDelivery, claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import type { ClaimPool } from '#domain/webhook/claim-lock.ts'
import { attemptsMax, beginWithinMs } from '#domain/webhook/delivery.policy.ts'
import { reclaimExpiredLeases } from '#domain/webhook/reclaim-expired-leases.ts'
import { createWakeSignal } from '../../background/wake-signal.ts'
import type { WebhookSender } from '../http/webhook-sender.ts'
import { type AttemptTools, attemptDelivery, unsentOutcome } from './attempt-delivery.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { createOutage } from './outage.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import { createRetryTimers } from './retry-timers.ts'
import { createSigningSecrets } from './signing-secrets.ts'
import { createSlots } from './slots.ts'
import type { WorkerLog } from './worker-log.ts'

export interface DeliveryWorkerOptions {
  pool: ClaimPool
  cipher: Cipher
  clock: Clock
  log: WorkerLog
  sender: WebhookSender
  metrics: DeliveryMetrics
  /** Milliseconds before attempts 2 and 3, each ±10 %. */
  retryDelaysMs: readonly [number, number]
  random?: () => number
  /** Attempts of this process at once; 512 by default, as a waiting socket costs next to nothing. */
  slots?: number
  /** Attempts of one tenant at once, over all processes; 8 by default. */
  perTenant?: number
  /** What no wake-up told of is found after this time; 500 by default. */
  pollMs?: number
}

export interface DeliveryWorker {
  start(): void
  /** There may be something to send: to be called after a commit. */
  wake(): void
  /** Claims nothing more, finishes what is in flight, 5.5 s at most, and gives back what was not sent. */
  close(): Promise<void>
}

/** Claimed in one go, so that the first are sent before the last are read. */
const claimBatch = 128

/** The 5 s of an attempt, and half a second to store its result. */
const drainMs = 5_500

/**
 * Sends events as they become due. The row in the table is the job: it is claimed with a lease, its attempt is
 * counted before it is sent, and its result is stored only under the same claim. Any number of workers may run;
 * one that is killed loses nothing.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const {
    pool,
    clock,
    log,
    metrics,
    random = Math.random,
    slots = 512,
    perTenant = 8,
    pollMs = 500,
  } = options
  const places = createSlots({ slots, perTenant })
  const signal = createWakeSignal()
  const retries = createRetryTimers(signal.wake, clock)
  const outage = createOutage(log, 'claim')
  const writer = createOutcomeWriter(pool, createOutage(log, 'outcomes'))
  const unseal = createSigningSecrets(options.cipher)
  const tools: AttemptTools = { ...options, random, unseal, onEnd: places.attemptEnded }
  const underWay = new Set<Promise<void>>()
  let running: Promise<void> | undefined
  let isClosing = false
  let lookedForLostAt = Number.NEGATIVE_INFINITY

  async function run(): Promise<void> {
    while (!isClosing) await signal.wait(await turn())
  }

  /** Answers how long to wait for a wake-up before the next turn. */
  async function turn(): Promise<number> {
    try {
      await takeOverLost()
      await fillSlots()
      outage.ended()
      return pollMs
    } catch (error) {
      return outage.failed(error)
    }
  }

  async function takeOverLost(): Promise<void> {
    if (performance.now() - lookedForLostAt < pollMs) return
    lookedForLostAt = performance.now()
    const { pending, failed } = await reclaimExpiredLeases(pool, clock())
    if (pending.length + failed.length === 0) return
    log.warn({ pending, failed }, 'Took over deliveries whose worker was lost')
  }

  async function fillSlots(): Promise<void> {
    while (!isClosing) {
      const limits = places.limits(claimBatch)
      if (limits.free === 0) return
      const claimedAt = clock()
      const { claimed, dropped } = await claimDeliveries(pool, claimedAt, limits, randomUUID())
      for (const delivery of claimed) begin(delivery, claimedAt)
      if (dropped.length > 0) log.info({ dropped }, 'Deliveries ended: too old, or their tenant has no URL')
      // Fewer than asked for: all was claimed that may be. What was dropped has made room for the next ones.
      if (dropped.length === 0 && claimed.length < limits.free) return
    }
  }

  function begin(delivery: ClaimedDelivery, claimedAt: Date): void {
    places.take(delivery.tenantId)
    metrics.inFlight(places.used)
    const work = deliver(delivery, claimedAt).finally(() => {
      underWay.delete(work)
      places.free(delivery.tenantId)
      metrics.inFlight(places.used)
      signal.wake()
    })
    underWay.add(work)
  }

  async function deliver(delivery: ClaimedDelivery, claimedAt: Date): Promise<void> {
    const now = clock()
    const isLate = now.getTime() - claimedAt.getTime() > beginWithinMs
    if (isClosing || isLate) return await writer.write(unsentOutcome(delivery, now, 0))
    const outcome = await attemptDelivery(delivery, tools)
    await writer.write(outcome)
    if (outcome.result === 'failed' && delivery.attempt < attemptsMax) retries.ringAt(outcome.dueAt)
  }

  async function finish(): Promise<void> {
    await running
    await Promise.all(underWay)
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: signal.wake,
    async close() {
      isClosing = true
      retries.close()
      signal.wake()
      const timeIsUp = new AbortController()
      await Promise.race([finish(), sleep(drainMs, undefined, { signal: timeIsUp.signal })])
      timeIsUp.abort()
      writer.close()
    },
  }
}
