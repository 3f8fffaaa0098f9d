import { randomUUID } from 'node:crypto'
import type { Session } from '../session.ts'
import type { Signing } from '../signature.ts'

export interface Webhook {
  /** A short description for people and logs. */
  title: string
  /** The exact text to sign and send. */
  body: string
}

/** A webhook and its delivery state. Times are ISO 8601, UTC. The body is cleared when no attempt is left. */
export interface Delivery extends Webhook {
  id: string
  sessionId: string
  /** All but `valid` are attempted only once. */
  signing: Signing
  createdAt: string
  /** Attempts so far. */
  tries: number
  state: DeliveryState
  /** The HTTP status that the service responded with at the last attempt; null without a response. */
  status: number | null
  /** Why the last attempt got no response. */
  error: string | null
  /** The time of the next attempt; null if none is scheduled. */
  nextTryAt: string | null
}

/** `waiting` for an attempt, `held` until it is released, `accepted` with a 200, `given-up`. */
type DeliveryState = 'waiting' | 'held' | 'accepted' | 'given-up'

/** Whether it may still be sent. */
export function isPending(delivery: Delivery): boolean {
  return delivery.state === 'waiting' || delivery.state === 'held'
}

/**
 * `late` waits for a delay or for a release. `reordered` sends earlier webhooks after this one, whether or not they
 * were sent before. `missing` sends nothing: the decision can only be polled.
 */
export const deliveryModes = [
  'once',
  'duplicate',
  'late',
  'reordered',
  'wrong-signature',
  'wrong-client',
  'unsigned',
  'missing',
] as const

type DeliveryMode = (typeof deliveryModes)[number]

export interface DeliveryPlan {
  delivery?: DeliveryMode | undefined
  /** For `late`: milliseconds; without it the webhook is held until it is released. */
  delayMs?: number | undefined
}

/** A webhook to be sent: after 0 or more milliseconds, or when it is released. */
export interface PlannedDelivery extends Webhook {
  signing: Signing
  delayMs: number | 'held'
}

/** Plans the deliveries of a webhook: one, unless the plan asks for a fault. */
export function planDeliveries(
  plan: DeliveryPlan | undefined,
  webhook: Webhook,
  earlier: Webhook[] = [],
): PlannedDelivery[] {
  const mode = plan?.delivery ?? 'once'
  switch (mode) {
    case 'once':
      return [immediate(webhook)]
    case 'duplicate':
      return [immediate(webhook), immediate(webhook)]
    case 'late':
      return [{ ...webhook, signing: 'valid', delayMs: plan?.delayMs ?? 'held' }]
    case 'reordered':
      return [immediate(webhook), ...earlier.map(one => immediate(one))]
    case 'missing':
      return []
    default:
      return [immediate(webhook, mode)]
  }
}

function immediate(webhook: Webhook, signing: Signing = 'valid'): PlannedDelivery {
  return { ...webhook, signing, delayMs: 0 }
}

export function createDelivery(session: Session, planned: PlannedDelivery, now: Date): Delivery {
  const { delayMs, ...webhook } = planned
  return {
    id: randomUUID(),
    sessionId: session.id,
    ...webhook,
    createdAt: now.toISOString(),
    tries: 0,
    state: delayMs === 'held' ? 'held' : 'waiting',
    status: null,
    error: null,
    nextTryAt: delayMs === 'held' ? null : new Date(now.getTime() + delayMs).toISOString(),
  }
}
