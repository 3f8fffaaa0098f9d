import { randomUUID } from 'node:crypto'
import type { Signing } from './signature.ts'
import type { Webhook } from './webhook-body.ts'

/** A webhook and its delivery state. Times are ISO 8601, UTC. The body is cleared when no attempt is left. */
export interface Delivery extends Webhook {
  id: string
  /** All but `valid` are attempted only once. */
  signing: Signing
  tries: number
  /** `waiting` for an attempt, `held` until it is released, `accepted` with a 200. */
  state: 'waiting' | 'held' | 'accepted' | 'given-up'
  /** The HTTP status that the service responded with at the last attempt; null without a response. */
  status: number | null
  /** Why the last attempt got no response. */
  error: string | null
  /** The time of the next attempt; null if none is scheduled. */
  nextTryAt: string | null
}

/** Whether it may still be sent. */
export function isPending({ state }: Delivery): boolean {
  return state === 'waiting' || state === 'held'
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

export interface DeliveryPlan {
  delivery?: (typeof deliveryModes)[number] | undefined
  /** For `late`: milliseconds; without it the webhook is held until it is released. */
  delayMs?: number | undefined
}

/** Plans the deliveries of a session's webhook: one, unless the plan asks for a fault. */
export function planDeliveries(
  { delivery: mode = 'once', delayMs }: DeliveryPlan,
  now: Date,
  webhook: Webhook,
  earlier: Webhook[] = [],
): Delivery[] {
  const pending = { tries: 0, state: 'waiting', status: null, error: null } as const
  const plan = (one: Webhook, signing: Signing = 'valid', dueMs = 0): Delivery => {
    const nextTryAt = new Date(now.getTime() + dueMs).toISOString()
    return { id: randomUUID(), ...one, ...pending, signing, nextTryAt }
  }
  switch (mode) {
    case 'once':
      return [plan(webhook)]
    case 'duplicate':
      return [plan(webhook), plan(webhook)]
    case 'late':
      if (delayMs !== undefined) return [plan(webhook, 'valid', delayMs)]
      return [{ ...plan(webhook), state: 'held', nextTryAt: null }]
    case 'reordered':
      return [webhook, ...earlier].map(one => plan(one))
    case 'missing':
      return []
    default:
      return [plan(webhook, mode)]
  }
}
