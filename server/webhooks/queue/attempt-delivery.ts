import type { Clock } from '#domain/ports.ts'
import type { ClaimedDelivery, SealedSecret } from '#domain/webhook/claim-deliveries.ts'
import type { DeliveryKey } from '#domain/webhook/delivery.entity.ts'
import { nextAttemptAt } from '#domain/webhook/delivery.policy.ts'
import type { Outcome } from '#domain/webhook/record-outcomes.ts'
import { secretForAttempt, signEvent } from '#domain/webhook/signature.policy.ts'
import type { AttemptOutcome, EventAttempt } from '../http/make-attempt.ts'
import type { WebhookSender } from '../http/webhook-sender.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import type { WorkerLog } from './worker-log.ts'

export interface AttemptTools {
  sender: WebhookSender
  unseal: (sealed: SealedSecret) => string
  clock: Clock
  random: () => number
  retryDelaysMs: readonly [number, number]
  metrics: DeliveryMetrics
  log: WorkerLog
  /** Told how the attempt ended, before its outcome is stored. */
  onEnd: (tenantId: string, outcome: { ok: boolean; durationMs: number }) => void
}

/** Makes the attempt that was claimed, and tells what became of the delivery. Never throws. */
export async function attemptDelivery(delivery: ClaimedDelivery, tools: AttemptTools): Promise<Outcome> {
  const request = signedRequest(delivery, tools)
  if (!request) return unsentOutcome(delivery, tools.clock(), tools.retryDelaysMs[0])
  const sent = await send(delivery, request, tools)
  tools.onEnd(delivery.tenantId, sent)
  const at = tools.clock()
  return {
    ...keyOf(delivery),
    claimToken: delivery.claimToken,
    result: sent.ok ? 'delivered' : 'failed',
    dueAt: nextAttemptAt(delivery.attempt, at, tools.retryDelaysMs, tools.random),
  }
}

/** A delivery of which nothing was sent: due again after the delay, with as many attempts left as before. */
export function unsentOutcome(delivery: ClaimedDelivery, at: Date, delayMs: number): Outcome {
  const { claimToken } = delivery
  return { ...keyOf(delivery), claimToken, result: 'unsent', dueAt: new Date(at.getTime() + delayMs) }
}

function keyOf({ tenantId, verificationId, type }: ClaimedDelivery): DeliveryKey {
  return { tenantId, verificationId, type }
}

/** Undefined if it can't be signed: a fault of this service, which must not use up the receiver's attempts. */
function signedRequest(delivery: ClaimedDelivery, tools: AttemptTools): EventAttempt | undefined {
  const { tenantId, url } = delivery
  const body = Buffer.from(delivery.body, 'utf8')
  try {
    const secret = tools.unseal(secretForAttempt(delivery.secrets, delivery.attempt))
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'age-verification-service',
      'X-Webhook-Event': delivery.type,
      'X-Webhook-Signature': signEvent(body, secret),
    }
    return { tenantId, url, body, headers }
  } catch (error) {
    tools.log.error({ ...idsOf(delivery), err: error }, 'An event could not be signed')
    return undefined
  }
}

async function send(
  delivery: ClaimedDelivery,
  request: EventAttempt,
  tools: AttemptTools,
): Promise<{ ok: boolean; durationMs: number }> {
  const { clock, log, metrics, sender } = tools
  if (delivery.attempt === 1)
    metrics.firstAttemptBegan((clock().getTime() - delivery.createdAt.getTime()) / 1_000)
  try {
    const sent = await sender.send(request)
    logAttempt(delivery, sent, log)
    metrics.attemptEnded(sent.ok ? 'success' : sent.reason)
    return sent
  } catch (error) {
    // Whether anything arrived can't be known, so the attempt stays counted.
    log.error({ ...idsOf(delivery), err: error }, 'An attempt broke off')
    metrics.attemptEnded('error')
    return { ok: false, durationMs: 0 }
  }
}

function logAttempt(delivery: ClaimedDelivery, sent: AttemptOutcome, log: WorkerLog): void {
  const { status } = sent
  const fields = {
    ...idsOf(delivery),
    outcome: sent.ok ? 'success' : 'failure',
    ...(status !== undefined && { status }),
    ...(!sent.ok && { reason: sent.reason }),
    durationMs: Math.round(sent.durationMs),
  }
  if (sent.ok) log.info(fields, 'An event was delivered')
  else log.warn(fields, 'An attempt to deliver an event failed')
}

function idsOf(delivery: ClaimedDelivery): Record<string, unknown> {
  return { ...keyOf(delivery), attempt: delivery.attempt }
}
