import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import type { ClaimedDelivery } from '#domain/webhook/claim-deliveries.ts'
import {
  attemptsMax,
  beginWithinMs,
  createdTooEarly,
  nextAttemptAt,
} from '#domain/webhook/delivery.policy.ts'
import { type GivenUpReason, logGivenUp } from '#domain/webhook/log-given-up.ts'
import { type Outcome as DeliveryOutcome, recordOutcome } from '#domain/webhook/record-outcomes.ts'
import { recordTestEvent } from '#domain/webhook/record-test-event.ts'
import type { FailureLog } from '../../background/failure-log.ts'
import type { AttemptResult, WebhookSender } from '../http/webhook-sender.ts'
import { attemptFields, logAttempt, type WorkerLog } from './delivery-log.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import type { RequestSigner, SignedRequest } from './request-signer.ts'

/** Takes a claimed delivery to its stored outcome: signs, sends, stores. Never rejects. */
export async function processDelivery(
  delivery: ClaimedDelivery,
  claimedAt: Date,
  context: DeliveryContext,
): Promise<void> {
  const { clock, retryDelaysMs, random } = context
  const now = clock()
  const isLate = now.getTime() - claimedAt.getTime() > beginWithinMs
  if (isLate || context.closing.aborted) return await store(unsentOutcome(delivery, now, 0), context)
  if (delivery.createdAt <= createdTooEarly(now)) return await drop(delivery, 'expired', context)
  const { url, test } = delivery
  if (url === null && !test) return await drop(delivery, 'no_url', context)
  const request = signRequest(delivery, context)
  if (!request) return await store(unsentOutcome(delivery, clock(), retryDelaysMs[0]), context)
  const result = await sendRequest(delivery, request, context)
  const attemptedAt = clock()
  const outcome: DeliveryOutcome = {
    ...delivery,
    result: result.ok ? 'delivered' : 'failed',
    dueAt: nextAttemptAt(delivery.attempt, attemptedAt, retryDelaysMs, random),
    // Without a URL it was listed only, which no receiver has accepted.
    attemptedAt: url === null ? null : attemptedAt,
    failure: toFailure(result),
  }
  await store(outcome, context)
  if (!result.ok && delivery.attempt >= attemptsMax) reportGivenUp(delivery, 'attempts_failed', context)
}

export interface DeliveryServices {
  pool: StatementPool
  clock: Clock
  log: WorkerLog
  sender: WebhookSender
  /** Milliseconds before attempts 2 and 3, each ±10 %. */
  retryDelaysMs: readonly [number, number]
}

export interface DeliveryContext extends DeliveryServices {
  random: () => number
  metrics: DeliveryMetrics
  sign: RequestSigner
  /** Of outcomes that can't be stored. */
  failures: FailureLog
  /** Aborted on shutdown: what hasn't been sent yet is released. */
  closing: AbortSignal
  /** Aborted when the drain is over: outcomes that aren't stored are left to the expiry of their leases. */
  closed: AbortSignal
}

/** How long an outcome waits that could not be stored, because the database is away. */
const storeAgainMs = 500

/** Resolves when the outcome is stored, or rejected by its fencing token. Retries until then. */
async function store(outcome: DeliveryOutcome, { pool, failures, closed }: DeliveryContext): Promise<void> {
  while (!closed.aborted) {
    try {
      await recordOutcome(pool, outcome)
      return failures.succeeded()
    } catch (error) {
      failures.failed(error)
      await sleep(storeAgainMs, undefined, { signal: closed }).catch(() => undefined)
    }
  }
}

/** Gives a delivery up that isn't to be sent any more. */
async function drop(
  delivery: ClaimedDelivery,
  reason: 'expired' | 'no_url',
  context: DeliveryContext,
): Promise<void> {
  const outcome = unsentOutcome(delivery, context.clock(), 0)
  await store({ ...outcome, result: 'dropped', failure: reason }, context)
  reportGivenUp(delivery, reason, context)
}

function reportGivenUp(delivery: ClaimedDelivery, reason: GivenUpReason, context: DeliveryContext): void {
  context.metrics.givenUp(reason)
  logGivenUp(context.log, delivery, reason)
}

/** Returns undefined if signing fails: an internal error must not use up one of the receiver's attempts. */
function signRequest(delivery: ClaimedDelivery, { sign, log }: DeliveryContext): SignedRequest | undefined {
  try {
    return sign(delivery)
  } catch (error) {
    log.error({ ...attemptFields(delivery), err: error }, 'Webhook request could not be signed')
    return undefined
  }
}

async function sendRequest(
  delivery: ClaimedDelivery,
  request: SignedRequest,
  context: DeliveryContext,
): Promise<CompletedAttempt> {
  const { log, metrics } = context
  try {
    const result = await makeAttempt(delivery, request, context)
    if (result === 'listed') return { ok: true, durationMs: 0 }
    logAttempt(log, delivery, result)
    metrics.attemptCompleted(result.ok ? 'success' : result.reason)
    return result
  } catch (error) {
    // The receiver may have got the request, so the attempt stays counted.
    log.error(
      { ...attemptFields(delivery), err: error },
      'Webhook delivery attempt ended by an internal error',
    )
    metrics.attemptCompleted('error')
    return { ok: false, reason: 'error', durationMs: 0 }
  }
}

/** A test tenant can ask for each request. Without a URL, that is all that is done. */
async function makeAttempt(
  { tenantId, url, test, attempt, body }: ClaimedDelivery,
  request: SignedRequest,
  { pool, clock, sender }: DeliveryContext,
): Promise<AttemptResult | 'listed'> {
  if (test) {
    await recordTestEvent(pool, { tenantId, at: clock(), attempt, url, headers: request.headers, body })
  }
  return url === null ? 'listed' : await sender.send({ ...request, url })
}

/** `error`: the attempt was ended by an internal error. */
type CompletedAttempt =
  | Pick<AttemptResult & { ok: true }, 'ok' | 'durationMs'>
  | (AttemptResult & { ok: false })
  | { ok: false; reason: 'error'; fault?: undefined; durationMs: number }

/** What is stored with the delivery: the reason, and what it says more exactly, such as `status_503` or `tls_expired`. */
function toFailure(result: CompletedAttempt): string | null {
  if (result.ok) return null
  const detail = result.reason === 'status' ? result.status : result.fault
  return detail === undefined ? result.reason : `${result.reason}_${detail}`
}

/** Nothing was sent: due again after the delay; the attempt isn't counted. */
function unsentOutcome(delivery: ClaimedDelivery, at: Date, delayMs: number): DeliveryOutcome {
  const dueAt = new Date(at.getTime() + delayMs)
  return { ...delivery, result: 'unsent', dueAt, attemptedAt: null, failure: null }
}
