import type { Clock } from '#domain/ports.ts'
import { type Operation, traced } from '#domain/tracing.ts'
import type { ClaimedDelivery } from '#domain/webhook/claim-deliveries.ts'
import {
  attemptsMax,
  beginWithinMs,
  createdTooEarly,
  isHanging,
  nextAttemptAt,
} from '#domain/webhook/delivery.policy.ts'
import { type GivenUpReason, logGivenUp } from '#domain/webhook/log-given-up.ts'
import type { Outcome as DeliveryOutcome } from '#domain/webhook/record-outcomes.ts'
import type { AttemptResult, WebhookRequest, WebhookSender } from '../http/webhook-sender.ts'
import { attemptFields, logAttempt, type WorkerLog } from './delivery-log.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import type { InFlightDeliveries } from './in-flight-deliveries.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import type { RequestSigner, SendableDelivery } from './request-signer.ts'

/**
 * Takes a claimed delivery to its stored outcome: signs, sends, stores. It continues the trace of the completion. Never
 * rejects.
 */
export function processDelivery(
  delivery: ClaimedDelivery,
  claimedAt: Date,
  context: DeliveryContext,
): Promise<void> {
  const { type, tenantId, verificationId, attempt, traceparent: parent } = delivery
  const attributes = { tenantId, verificationId, attempt }
  const operation = { kind: 'delivery', name: `deliver ${type}`, parent, attributes } as const
  return traced(operation, () => deliver(delivery, claimedAt, context))
}

async function deliver(delivery: ClaimedDelivery, claimedAt: Date, context: DeliveryContext): Promise<void> {
  const { clock, outcomes, retryDelaysMs, random } = context
  const now = clock()
  const isLate = now.getTime() - claimedAt.getTime() > beginWithinMs
  if (isLate || context.closing.aborted) return await outcomes.write(unsentOutcome(delivery, now, 0))
  if (delivery.createdAt <= createdTooEarly(now)) return await drop(delivery, 'expired', context)
  const { url } = delivery
  if (url === null) return await drop(delivery, 'no_url', context)
  const request = signRequest({ ...delivery, url }, context)
  if (!request) return await outcomes.write(unsentOutcome(delivery, clock(), retryDelaysMs[0]))
  const result = await sendRequest(delivery, request, context)
  context.inFlight.recordResult(delivery.tenantId, isHanging(result))
  const attemptedAt = clock()
  await outcomes.write({
    ...delivery,
    result: result.ok ? 'delivered' : 'failed',
    dueAt: nextAttemptAt(delivery.attempt, attemptedAt, retryDelaysMs, random),
    attemptedAt,
    failure: toFailure(result),
  })
  if (!result.ok && delivery.attempt >= attemptsMax) reportGivenUp(delivery, 'attempts_failed', context)
}

export interface DeliveryServices {
  clock: Clock
  log: WorkerLog
  sender: WebhookSender
  metrics: DeliveryMetrics
  /** Milliseconds before attempts 2 and 3, each ±10 %. */
  retryDelaysMs: readonly [number, number]
}

export interface DeliveryContext extends DeliveryServices {
  random: () => number
  /** The trace context that each request has in its header; null where nothing is traced. */
  traceparent: () => string | null
  sign: RequestSigner
  inFlight: InFlightDeliveries
  outcomes: OutcomeWriter
  /** Aborted on shutdown: what hasn't been sent yet is released. */
  closing: AbortSignal
}

/** Gives a delivery up that isn't to be sent any more. */
async function drop(
  delivery: ClaimedDelivery,
  reason: 'expired' | 'no_url',
  context: DeliveryContext,
): Promise<void> {
  const outcome = unsentOutcome(delivery, context.clock(), 0)
  await context.outcomes.write({ ...outcome, result: 'dropped', failure: reason })
  reportGivenUp(delivery, reason, context)
}

function reportGivenUp(delivery: ClaimedDelivery, reason: GivenUpReason, context: DeliveryContext): void {
  context.metrics.givenUp(reason)
  logGivenUp(context.log, delivery, reason)
}

/** Returns undefined if signing fails: an internal error must not use up one of the receiver's attempts. */
function signRequest(delivery: SendableDelivery, { sign, log }: DeliveryContext): WebhookRequest | undefined {
  try {
    return sign(delivery)
  } catch (error) {
    log.error({ ...attemptFields(delivery), err: error }, 'Webhook request could not be signed')
    return undefined
  }
}

async function sendRequest(
  delivery: ClaimedDelivery,
  request: WebhookRequest,
  { clock, log, metrics, sender, traceparent }: DeliveryContext,
): Promise<CompletedAttempt> {
  if (delivery.attempt === 1)
    metrics.firstAttemptStarted((clock().getTime() - delivery.createdAt.getTime()) / 1_000)
  try {
    const result = await traceAttempt(() => sender.send(withTraceparent(request, traceparent)))
    logAttempt(log, delivery, result)
    metrics.attemptCompleted(result.ok ? 'success' : result.reason, result.durationMs / 1_000)
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

/** The attempt as an operation of the delivery's trace. */
function traceAttempt(send: () => Promise<AttemptResult>): Promise<AttemptResult> {
  const attributes: NonNullable<Operation['attributes']> = { 'http.request.method': 'POST' }
  return traced({ kind: 'webhook', name: 'POST', attributes }, async () => {
    const result = await send()
    if (result.status !== undefined) attributes['http.response.status_code'] = result.status
    attributes.outcome = result.ok ? 'success' : result.reason
    return result
  })
}

/** The header isn't signed, as the signature is over the body. */
function withTraceparent(request: WebhookRequest, traceparent: () => string | null): WebhookRequest {
  const context = traceparent()
  return context === null ? request : { ...request, headers: { ...request.headers, traceparent: context } }
}

/** `error`: the attempt was ended by an internal error. */
type CompletedAttempt = AttemptResult | { ok: false; reason: 'error'; fault?: undefined; durationMs: number }

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
